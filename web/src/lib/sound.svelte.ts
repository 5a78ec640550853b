// A few sounds, made here: that it is my turn, dice, a space that changes hands, the end. One click
// turns them off.

import { keep, recall } from './storage'

const KEY = 'sandtable.sound'

type Note = { at: number; pitch: number; length: number; loud?: number; wave?: OscillatorType }

const TUNES = {
  turn: [
    { at: 0, pitch: 587, length: 0.16 },
    { at: 0.13, pitch: 880, length: 0.3 },
  ],
  taken: [
    { at: 0, pitch: 196, length: 0.14, wave: 'triangle' },
    { at: 0.09, pitch: 262, length: 0.22, wave: 'triangle' },
  ],
  over: [
    { at: 0, pitch: 392, length: 0.5 },
    { at: 0.16, pitch: 494, length: 0.5 },
    { at: 0.32, pitch: 587, length: 0.7 },
    { at: 0.48, pitch: 784, length: 0.9 },
  ],
} satisfies Record<string, Note[]>

export type SoundName = keyof typeof TUNES | 'dice'

class Sound {
  on = $state(recall(KEY) !== 'off')

  #context: AudioContext | null = null
  #last = 0

  toggle(): void {
    this.on = !this.on
    keep(KEY, this.on ? '' : 'off')
    if (this.on) this.play('turn')
  }

  /** Sound, if it is on; not two at the same moment. Browsers let pages be heard after a click only,
   *  and where there is no device nothing happens. */
  play(name: SoundName): void {
    const now = Date.now()
    if (!this.on || now - this.#last < 150 || typeof AudioContext === 'undefined') return
    this.#last = now
    try {
      const context = (this.#context ??= new AudioContext())
      void context.resume()
      if (name === 'dice') rattle(context)
      else for (const note of TUNES[name] as Note[]) sing(context, note)
    } catch {
      // Somebody who hears nothing sees everything.
    }
  }
}

function sing(context: AudioContext, note: Note): void {
  const start = context.currentTime + note.at
  const voice = context.createOscillator()
  const volume = context.createGain()
  voice.type = note.wave ?? 'sine'
  voice.frequency.value = note.pitch
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(note.loud ?? 0.08, start + 0.015)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + note.length)
  voice.connect(volume).connect(context.destination)
  voice.start(start)
  voice.stop(start + note.length)
}

/** Dice on a table: a few short knocks of noise. */
function rattle(context: AudioContext): void {
  const length = Math.floor(context.sampleRate * 0.025)
  const knock = context.createBuffer(1, length, context.sampleRate)
  const samples = knock.getChannelData(0)
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3
  for (const at of [0, 0.06, 0.1, 0.17, 0.21, 0.31]) {
    const source = context.createBufferSource()
    const tone = context.createBiquadFilter()
    const volume = context.createGain()
    source.buffer = knock
    tone.type = 'bandpass'
    tone.frequency.value = 1400 + 900 * Math.random()
    volume.gain.value = 0.35 * (1 - at)
    source.connect(tone).connect(volume).connect(context.destination)
    source.start(context.currentTime + at)
  }
}

export const sound = new Sound()
