import { describe, expect, it } from 'vitest'
import type { Editor, Pick, Row } from '../lib/types'
import { changed, patchOf, valueOf } from './editing'

const infantry: Row = {
  key: 'a',
  label: 'Infantry',
  path: ['units', 'ukraine', 'germany', 'infantry'],
  most: 99,
  value: 3,
  group: 'Germany',
}
const owner: Pick = {
  label: 'Belongs to',
  path: ['control', 'ukraine'],
  value: 'germany',
  choices: { germany: 'Germany', ussr: 'Soviet Union' },
}
const money: Row = { key: 'm', label: 'Japan', path: ['treasury', 'japan'], most: 9, group: 'IPCs' }
const editor: Editor = {
  title: 'Ukraine',
  space: 'ukraine',
  power: 'germany',
  powers: {},
  rows: [infantry, money],
  picks: [owner],
}

describe('an edit', () => {
  it('has what is otherwise, and nothing else', () => {
    let changes = changed({}, editor, infantry, 5)
    changes = changed(changes, editor, owner, 'ussr')
    changes = changed(changes, editor, money, 7)
    expect(patchOf(changes)).toEqual({
      units: { ukraine: { germany: { infantry: 5 } } },
      control: { ukraine: 'ussr' },
      treasury: { japan: 7 },
    })
    expect(Object.values(changes).map((one) => one.words)).toEqual([
      'Ukraine: Germany, Infantry: 3 → 5',
      'Ukraine: Belongs to: Germany → Soviet Union',
      'IPCs, Japan: 0 → 7',
    ])
    expect(valueOf(changes, infantry)).toBe(5)
    expect(valueOf({}, money)).toBe(0)
    expect(patchOf(changed(changes, editor, infantry, 3))).not.toHaveProperty('units')
  })
})
