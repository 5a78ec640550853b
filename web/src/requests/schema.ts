// Plain forms from a JSON schema: what a field is, and what it begins with.

export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  title?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema | boolean
  prefixItems?: Schema[]
  default?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export type Defs = Record<string, Schema>

/** The schema itself, where a reference stands. */
export function resolved(schema: Schema, defs: Defs): Schema {
  let at = schema
  for (let steps = 0; at.$ref && steps < 20; steps++) {
    at = defs[at.$ref.split('/').pop() ?? ''] ?? {}
  }
  return at
}

/** The alternatives of a union; a single one for anything else. */
export function alternatives(schema: Schema, defs: Defs): Schema[] {
  const here = resolved(schema, defs)
  const union = here.anyOf ?? here.oneOf
  if (union) return union.flatMap((one) => alternatives(one, defs))
  if (Array.isArray(here.type)) return here.type.map((type) => ({ ...here, type }))
  return [here]
}

const tag = (schema: Schema | undefined, defs: Defs): unknown => {
  if (!schema) return undefined
  const here = resolved(schema, defs)
  return here.const ?? (here.enum?.length === 1 ? here.enum[0] : undefined)
}

/** What a union's alternative is called. */
export function nameOf(schema: Schema, defs: Defs): string {
  const here = resolved(schema, defs)
  const kind = tag(here.properties?.kind, defs)
  if (typeof kind === 'string') return inWords(kind)
  if (here.const !== undefined) return String(here.const)
  if (here.type === 'null') return 'nothing'
  return here.title ? inWords(here.title) : String(here.type ?? 'value')
}

/** What a field holds before anybody has touched it. */
export function initial(schema: Schema, defs: Defs, depth = 0): unknown {
  const here = resolved(schema, defs)
  if (here.default !== undefined) return structuredClone(here.default)
  const fixed = tag(here, defs)
  if (fixed !== undefined) return fixed
  if (here.enum) return here.enum[0]
  const [first] = alternatives(here, defs)
  if (first && first !== here) return depth > 8 ? null : initial(first, defs, depth + 1)
  switch (here.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(here.properties ?? {})
          .filter(([name, one]) => here.required?.includes(name) || tag(one, defs) !== undefined)
          .map(([name, one]) => [name, depth > 8 ? null : initial(one, defs, depth + 1)]),
      )
    case 'array':
      return (here.prefixItems ?? []).map((one) => initial(one, defs, depth + 1))
    case 'integer':
    case 'number':
      return here.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      return ''
    default:
      return null
  }
}

/** Whether a value looks like one of this alternative. */
export function fits(value: unknown, schema: Schema, defs: Defs): boolean {
  const here = resolved(schema, defs)
  const fixed = tag(here, defs)
  if (fixed !== undefined) return value === fixed
  if (here.enum) return here.enum.includes(value)
  switch (here.type) {
    case 'null':
      return value === null
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      const kind = tag(here.properties?.kind, defs)
      return kind === undefined || (value as { kind?: unknown }).kind === kind
    }
    case 'array':
      return Array.isArray(value)
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string'
    default:
      return true
  }
}

/** Whether a field holds always the same and need not be shown. */
export function isFixed(schema: Schema, defs: Defs): boolean {
  return tag(schema, defs) !== undefined
}

/** `declare_war` as `Declare war`. */
export function inWords(id: string): string {
  const words = id
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
