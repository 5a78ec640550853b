// What somebody has changed in the editor and not applied yet.

import type { Editor, Pick, Row } from '../lib/types'

/** A number or a choice that is to be another. */
export interface Changed {
  path: string[]
  value: number | string
  /** What and where, how it is and how it will be. */
  words: string
}
/** By their paths. */
export type Changes = Record<string, Changed>

const keyOf = (path: string[]) => path.join(' ')

/** The number or choice of a row or pick as it will be. */
export function valueOf(changes: Changes, what: Row | Pick): number | string {
  return changes[keyOf(what.path)]?.value ?? what.value ?? 0
}

/** The changes with another one; without it if it is as it is. */
export function changed(
  changes: Changes,
  editor: Editor,
  what: Row | Pick,
  value: number | string,
): Changes {
  const { [keyOf(what.path)]: _, ...others } = changes
  const was = what.value ?? 0
  if (value === was) return others
  const here = editor.space && what.path.includes(editor.space) ? `${editor.title}: ` : ''
  const group = what.group && what.group !== what.label ? `${what.group}, ` : ''
  const said = (one: number | string) => ('choices' in what ? what.choices[one] : one)
  const words = `${here}${group}${what.label}: ${said(was)} → ${said(value)}`
  return { ...others, [keyOf(what.path)]: { path: what.path, value, words } }
}

/** What is sent: all of them in one edit. */
export function patchOf(changes: Changes): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of Object.values(changes)) {
    let at = patch
    for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>
    at[path.at(-1)!] = value
  }
  return patch
}
