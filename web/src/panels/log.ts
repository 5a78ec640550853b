// The log in chapters: a turn or round, in it phases, in them what happened.

import type { Line } from '../lib/types'

export interface Entry {
  line: Line
  /** Its place in the log. */
  number: number
}
export interface Phase {
  title: Entry | null
  entries: Entry[]
}
export interface Chapter {
  title: Entry | null
  phases: Phase[]
}

/** Group the lines that `wanted` keeps. Headings without anything under them stay only if nothing is
 *  filtered, or if they tell of dice themselves and are wanted. */
export function chapters(log: Line[], wanted: ((line: Line) => boolean) | null): Chapter[] {
  const found: Chapter[] = []
  let chapter: Chapter = { title: null, phases: [] }
  let phase: Phase = { title: null, entries: [] }
  const endPhase = () => {
    const { line } = phase.title ?? {}
    const titled = line && (!wanted || (line.throws?.length && wanted(line)))
    if (phase.entries.length || titled) chapter.phases.push(phase)
  }
  const endChapter = () => {
    endPhase()
    if (chapter.phases.length || (chapter.title && !wanted)) found.push(chapter)
  }
  for (const [number, line] of log.entries()) {
    const level = line.level ?? 2
    if (level === 0) {
      endChapter()
      chapter = { title: { line, number }, phases: [] }
      phase = { title: null, entries: [] }
    } else if (level === 1) {
      endPhase()
      phase = { title: { line, number }, entries: [] }
    } else if (!wanted || wanted(line)) {
      phase.entries.push({ line, number })
    }
  }
  endChapter()
  return found
}
