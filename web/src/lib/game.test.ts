import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GameStore } from './game.svelte'
import type { GameInfo, Line, Message, Picture, SeatInfo } from './types'

vi.mock('./motion', () => ({ reducedMotion: () => still }))
let still = true

const seat = (number: number, powers: string[], more: Partial<SeatInfo> = {}): SeatInfo => ({
  number,
  registered: false,
  sealed: false,
  powers,
  kind: 'person',
  player: '',
  mine: false,
  online: false,
  bot: '',
  level: '',
  standing: [],
  invite: null,
  deadline: null,
  since: null,
  votes: 0,
  away: null,
  ...more,
})
const info = (more: Partial<GameInfo> = {}): GameInfo => ({
  id: 'g',
  game: 'toy',
  name: 'Toy',
  title: 'Toy',
  subtitle: '',
  options: [],
  status: 'running',
  version: 0,
  access: 'private',
  clock: null,
  created: '',
  updated: '',
  creator: 'Ann',
  mine: true,
  seats: [seat(0, ['red'], { mine: true, player: 'Ann' }), seat(1, ['blue'], { player: 'Ben' })],
  you: ['Ann'],
  waiting: ['red'],
  result: null,
  edited: false,
  commitment: '',
  commitments: [],
  entropy: [],
  secret: null,
  spectators: 0,
  rematch: null,
  ...more,
})
const picture = (more: Partial<Picture> = {}): Picture => ({
  moment: { title: 'Round 1', phase: 'Buy' },
  spaces: { a: { owner: 'red' }, b: { owner: 'blue' } },
  ...more,
})
const line = (text: string): Line => ({ kind: 'x', text })
const request = (power: string, kind = 'buy') => ({ power, kind, prompt: 'What?' })

const hello = (more: Partial<Extract<Message, { type: 'hello' }>> = {}): Message => ({
  type: 'hello',
  version: 3,
  info: info(),
  about: { game: 'toy', title: 'Toy', subtitle: '', powers: [] },
  picture: picture(),
  log: { keep: 0, add: [line('one'), line('two')] },
  steps: 3,
  pending: [],
  may: [],
  undo: '',
  back: [],
  chat: [],
  ...more,
})
const update = (more: Partial<Extract<Message, { type: 'update' }>> = {}): Message => ({
  type: 'update',
  version: 4,
  changes: {},
  log: { keep: 2, add: [] },
  steps: 4,
  pending: [],
  may: [],
  waiting: ['blue'],
  undo: '',
  back: [],
  ...more,
})

/** Answers of the server: path to content, or to a status and content. */
let answers: Record<string, unknown[]>
let asked: { path: string; body: unknown }[]

beforeEach(() => {
  answers = {}
  asked = []
  vi.stubGlobal('fetch', async (url: string, init?: { body?: string }) => {
    const path = url.replace('/api/games/g/', '')
    asked.push({ path, body: init?.body ? JSON.parse(init.body) : null })
    const queue = answers[path.split('?')[0]!] ?? []
    const next = (queue.length > 1 ? queue.shift() : queue[0]) as
      { status?: number; content?: unknown } | undefined
    if (!next) return new Response('{"error":"unexpected"}', { status: 500 })
    return new Response(JSON.stringify(next.content), { status: next.status ?? 200 })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const settle = () => new Promise((done) => setTimeout(done))
const form = (power = 'red', kind = 'buy', title = 'Buy') => ({
  content: { kind, power, component: 'buy', title, prompt: '' },
})

describe('what the server tells', () => {
  it('is taken in from the first message on', () => {
    const game = new GameStore(info())
    game.take(hello())
    expect(game.connected).toBe(true)
    expect(game.version).toBe(3)
    expect(game.log.map((one) => one.text)).toEqual(['one', 'two'])
  })

  it('changes only the spaces and sections that differ', () => {
    const game = new GameStore(info())
    game.take(hello({ picture: picture({ notes: ['War'], battle: null }) }))
    game.take(update({ changes: { spaces: { b: { owner: 'red' } } } }))
    expect(game.picture!.spaces).toEqual({ a: { owner: 'red' }, b: { owner: 'red' } })
    expect(game.picture!.notes).toEqual(['War'])
    expect(game.waiting).toEqual(['blue'])
  })

  it('takes lines of the log away after an undo', () => {
    const game = new GameStore(info())
    game.take(hello())
    game.take(update({ log: { keep: 1, add: [line('three')] } }))
    expect(game.log.map((one) => one.text)).toEqual(['one', 'three'])
  })

  it('knows who is here', () => {
    const game = new GameStore(info())
    game.take(hello())
    game.take({ type: 'presence', online: [1], spectators: 2 })
    expect(game.info!.seats.map((one) => one.online)).toEqual([false, true])
    expect(game.info!.spectators).toBe(2)
    expect(game.info!.seats[0]!.away).not.toBeNull()
    game.take({ type: 'presence', online: [0, 1], spectators: 0 })
    expect(game.info!.seats.map((one) => one.away)).toEqual([null, null])
  })

  it('is over: nothing waits for me any more', () => {
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    expect(game.myTurn).toBe(true)
    game.take({ type: 'info', info: info({ status: 'over' }) })
    expect(game.myTurn).toBe(false)
  })

  it('is not shown to whoever has logged out in another tab', async () => {
    answers.form = [{ status: 401, content: { error: 'Say who you are first.' } }]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    await vi.waitFor(() => expect(game.refused?.status).toBe(401))
  })

  it('that was given up is not waited for', async () => {
    vi.useFakeTimers()
    const sockets: { onclose: () => void; close: () => void }[] = []
    vi.stubGlobal(
      'WebSocket',
      class {
        onclose = () => {}
        close = () => {}
        constructor() {
          sockets.push(this)
        }
      },
    )
    vi.stubGlobal('location', { protocol: 'http:', host: 'h' })
    vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {} })
    vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} })
    answers['/api/games/g'] = [{ status: 404, content: { error: 'There is no such game.' } }]
    const game = new GameStore(info())
    const leave = game.open()
    game.take(hello())
    sockets[0]!.onclose()
    await vi.advanceTimersByTimeAsync(2000)
    expect(game.refused?.status).toBe(404)
    expect(sockets).toHaveLength(1)
    leave()
  })

  it('does not repeat a remark', () => {
    const game = new GameStore(info())
    const remark = { id: 7, name: 'Ben', registered: false, text: 'Hello', at: '' }
    game.take(hello({ chat: [remark] }))
    game.take({ type: 'chat', remark })
    expect(game.chat).toEqual([remark])
  })
})

describe('the form', () => {
  it('is fetched for my request, and again with each version', async () => {
    answers.form = [form('red', 'buy', 'first'), form('red', 'buy', 'second')]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    await settle()
    expect(game.form?.title).toBe('first')
    game.take(update({ pending: [request('red')] }))
    expect(game.form?.title).toBe('first')
    await settle()
    expect(game.form?.title).toBe('second')
  })

  it('goes when nothing is asked of me any more', async () => {
    answers.form = [form()]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    await settle()
    game.take(update())
    expect(game.form).toBeNull()
  })

  it('of another kind does not stay while the new one is on its way', async () => {
    answers.form = [form(), form('red', 'move')]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    await settle()
    game.take(update({ pending: [request('red', 'move')] }))
    expect(game.form).toBeNull()
  })

  it('can be that of another of my powers', async () => {
    answers.form = [form('red'), form('blue')]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red'), request('blue')] }))
    await settle()
    game.ask('blue')
    await settle()
    expect(asked.map((one) => one.path)).toEqual(['form?power=red', 'form?power=blue'])
    expect(game.form?.power).toBe('blue')
  })
})

describe('a right', () => {
  const may = [request('red', 'declare_war')]

  it('opens its form, and leaves it again', async () => {
    answers.form = [form('red', 'move'), form('red', 'declare_war'), form('red', 'move')]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red', 'move')], may }))
    await settle()
    game.ask('red', 'declare_war')
    await settle()
    expect(asked.at(-1)!.path).toBe('form?power=red&kind=declare_war')
    expect(game.form?.kind).toBe('declare_war')
    game.ask('red')
    await settle()
    expect(asked.at(-1)!.path).toBe('form?power=red')
    expect(game.form?.kind).toBe('move')
  })

  it('is nobody’s turn', () => {
    const game = new GameStore(info())
    game.take(hello({ may }))
    expect(game.may).toEqual(may)
    expect(game.myTurn).toBe(false)
  })

  it('is put aside when it has been used', async () => {
    answers.form = [form('red', 'declare_war')]
    const game = new GameStore(info())
    game.take(hello({ may }))
    game.ask('red', 'declare_war')
    await settle()
    answers.decisions = [{ content: { version: 4 } }]
    const done = game.submit({ kind: 'war' })
    await settle()
    game.take(update({ may }))
    expect(await done).toBe(true)
    expect(game.form).toBeNull()
    expect(game.right).toBe('')
  })

  it('that is there no more is put aside', async () => {
    answers.form = [form('red', 'declare_war')]
    const game = new GameStore(info())
    game.take(hello({ may }))
    game.ask('red', 'declare_war')
    await settle()
    game.take(update())
    expect(game.form).toBeNull()
    expect(game.right).toBe('')
  })
})

describe('a decision', () => {
  const decision = { kind: 'pass' }
  async function ready() {
    answers.form = [form()]
    const game = new GameStore(info())
    game.take(hello({ pending: [request('red')] }))
    await settle()
    return game
  }

  it('names the version of its form, and is done when its effect is here', async () => {
    const game = await ready()
    answers.decisions = [{ content: { version: 4 } }]
    const done = game.submit(decision)
    expect(game.busy).toBe(true)
    await settle()
    expect(game.busy).toBe(true)
    game.take(update())
    expect(await done).toBe(true)
    expect(game.busy).toBe(false)
    expect(asked.at(-1)!.body).toEqual({ power: 'red', decision, version: 3 })
  })

  it('is not done before the next question is here: the old one cannot be answered again', async () => {
    const game = await ready()
    answers.decisions = [{ content: { version: 4 } }]
    answers.form = [form('red', 'buy', 'the next')]
    const done = game.submit(decision)
    await settle()
    game.take(update({ pending: [request('red')] }))
    await done
    expect(game.form?.title).toBe('the next')
  })

  it('that is refused leaves the reason and its rule', async () => {
    const game = await ready()
    answers.decisions = [{ status: 422, content: { error: 'Too far.', rule: '4.2' } }]
    expect(await game.submit(decision)).toBe(false)
    expect(game.problem).toMatchObject({ status: 422, error: 'Too far.', rule: '4.2' })
    expect(game.busy).toBe(false)
  })

  it('is sent again when somebody else was first and my question is the same', async () => {
    const game = await ready()
    answers.decisions = [{ status: 409, content: { error: 'Stale.' } }, { content: { version: 5 } }]
    const done = game.submit(decision)
    game.take(update({ pending: [request('red')] }))
    await settle()
    game.take(update({ version: 5 }))
    expect(await done).toBe(true)
    const sent = asked.filter((one) => one.path === 'decisions')
    expect(sent.map((one) => (one.body as { version: number }).version)).toEqual([3, 4])
  })

  it('is not sent again when my question has changed', async () => {
    const game = await ready()
    answers.decisions = [{ status: 409, content: { error: 'Stale.' } }]
    answers.form = [form('red', 'buy', 'another')]
    const done = game.submit(decision)
    game.take(update({ pending: [request('red')] }))
    expect(await done).toBe(false)
    expect(game.problem!.status).toBe(409)
  })

  it('is not sent twice at a time', async () => {
    const game = await ready()
    answers.decisions = [{ content: { version: 4 } }]
    const first = game.submit(decision)
    expect(await game.submit(decision)).toBe(false)
    await settle()
    game.take(update())
    expect(await first).toBe(true)
  })
})

describe('two people at one screen', () => {
  const both = info({
    seats: [
      seat(0, ['red'], { mine: true, player: 'Ann' }),
      seat(1, ['blue'], { mine: true, player: 'Ben' }),
    ],
    you: ['Ann', 'Ben'],
    waiting: ['blue', 'red'],
  })
  const secret = picture({ moment: { title: '', phase: '', secret: true } })

  it('need no curtain while nothing is secret', () => {
    const game = new GameStore(both)
    game.take(hello({ info: both }))
    expect(game.handover).toBe('')
  })

  it('hand over while something is, each in turn', () => {
    const game = new GameStore(both)
    game.take(hello({ info: both, picture: secret }))
    expect(game.handover).toBe('Ann')
    game.player = 'Ann'
    expect(game.handover).toBe('')
    game.take(update({ waiting: ['blue'] }))
    expect(game.handover).toBe('Ben')
  })

  it('see no curtain when only one of them plays here', () => {
    const game = new GameStore(info())
    game.take(hello({ picture: secret }))
    expect(game.handover).toBe('')
  })
})
