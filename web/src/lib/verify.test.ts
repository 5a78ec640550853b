import { describe, expect, it } from 'vitest'
import vectors from './dice.vectors.json'
import { commitmentOf, examine, roll, type DiceHeader } from './verify'

const dice = vectors[1]!.dice as DiceHeader

function saveWith(changes: (save: Record<string, any>) => void = () => {}): string {
  const journal = [3, 2, 40].map((count, number) => ({
    roll: roll(dice, number, count, 6),
    sides: 6,
    for: `roll ${number}`,
  }))
  const save = {
    format: 'sandtable save',
    game: 'aa1942',
    dice: { ...dice },
    journal: [{ by: 'germany', kind: 'pass' }, ...journal],
  }
  changes(save)
  return JSON.stringify(save)
}

describe('dice as the kernel derives them', () => {
  for (const [number, one] of vectors.entries()) {
    it(`gives the kernel’s commitment, case ${number}`, () => {
      expect(commitmentOf(one.dice as DiceHeader)).toBe(one.dice.commitment)
    })
    it(`gives the kernel’s faces, case ${number}`, () => {
      for (const { number, sides, faces } of one.rolls) {
        expect(roll(one.dice as DiceHeader, number, faces.length, sides)).toEqual(faces)
      }
    })
  }
})

describe('a save', () => {
  it('is found in order', async () => {
    const found = await examine(saveWith())
    expect(found).toMatchObject({
      kind: 'verified',
      commitmentFits: true,
      wrong: null,
      rolls: 3,
      dice: 45,
      decisions: 1,
    })
    expect(found.faces!.counts.reduce((a, b) => a + b)).toBe(45)
  })

  it('with a changed die is caught, with the number of the roll', async () => {
    const text = saveWith((save) => {
      save.journal[2].roll[0] = (save.journal[2].roll[0] % 6) + 1
    })
    expect((await examine(text)).wrong).toMatchObject({ number: 2, kind: 'roll 1' })
  })

  it('with another secret does not fit its commitment', async () => {
    const text = saveWith((save) => (save.dice.secret = 'another'))
    expect((await examine(text)).commitmentFits).toBe(false)
  })

  it('with other entropy gives other dice', async () => {
    const text = saveWith((save) => (save.dice.entropy = ['00']))
    const found = await examine(text)
    expect(found.commitmentFits).toBe(true)
    expect(found.wrong).not.toBeNull()
  })

  it('of a game that went on from another save has other dice before', async () => {
    const before = { rolls: 1, dice: { ...dice, secret: 'of the save' } }
    const text = saveWith((save) => {
      save.journal[1].roll = roll(before.dice, 0, 3, 6)
      save.dice.before = [before]
    })
    expect(await examine(text)).toMatchObject({ commitmentFits: true, wrong: null, earlier: 1 })
    const seeded = saveWith((save) => {
      save.journal[1].roll = [1, 1, 1]
      save.dice.before = [{ rolls: 1, dice: { kind: 'seeded', seed: 1 } }]
    })
    expect(await examine(seeded)).toMatchObject({ wrong: null, earlier: 1 })
  })

  it('with seeded dice has nothing to check here', async () => {
    const found = await examine(saveWith((save) => (save.dice = { kind: 'seeded', seed: 1 })))
    expect(found.kind).toBe('seeded')
    expect(found.commitmentFits).toBe(false)
  })

  for (const text of ['', '{', '[]', 'null', '{"format": "sandtable save"}', '{"format": "x"}']) {
    it(`that is none is refused in words: ${text || 'empty'}`, async () => {
      await expect(examine(text)).rejects.toThrow(/save/)
    })
  }
})
