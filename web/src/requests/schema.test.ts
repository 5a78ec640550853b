import { expect, it } from 'vitest'
import { alternatives, fits, initial, inWords, isFixed, nameOf, type Schema } from './schema'

// As msgspec writes the schema of a union of tagged records.
const schema: Schema = {
  anyOf: [{ $ref: '#/$defs/Lend' }, { $ref: '#/$defs/Pass' }],
  $defs: {
    Lend: {
      title: 'Lend',
      type: 'object',
      properties: {
        kind: { enum: ['lend_lease'] },
        oil: { type: 'integer', minimum: 1 },
        to: { type: 'object', additionalProperties: { type: 'integer' } },
        port: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      },
      required: ['kind', 'oil', 'to'],
    },
    Pass: { title: 'Pass', type: 'object', properties: { kind: { enum: ['pass'] } } },
  },
}
const defs = schema.$defs!

it('a union is its alternatives, named by their kind', () => {
  const kinds = alternatives(schema, defs)
  expect(kinds.map((one) => nameOf(one, defs))).toEqual(['Lend lease', 'Pass'])
  expect(fits({ kind: 'pass' }, kinds[1]!, defs)).toBe(true)
  expect(fits({ kind: 'pass' }, kinds[0]!, defs)).toBe(false)
})

it('a form begins with the least that its schema asks for', () => {
  expect(initial({ $ref: '#/$defs/Lend' }, defs)).toEqual({ kind: 'lend_lease', oil: 1, to: {} })
  expect(initial({ $ref: '#/$defs/Pass' }, defs)).toEqual({ kind: 'pass' })
})

it('what can only be one thing is not asked for', () => {
  expect(isFixed({ enum: ['lend_lease'] }, defs)).toBe(true)
  expect(isFixed({ enum: ['a', 'b'] }, defs)).toBe(false)
})

it('a schema that holds itself ends', () => {
  const tree: Record<string, Schema> = {
    Tree: { type: 'object', properties: { of: { $ref: '#/$defs/Tree' } }, required: ['of'] },
  }
  expect(JSON.stringify(initial({ $ref: '#/$defs/Tree' }, tree)).length).toBeLessThan(500)
})

it('ids become words', () => {
  expect(inWords('declare_war')).toBe('Declare war')
})
