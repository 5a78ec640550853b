// What a player has switched off on the map: marks, routes and borders by the layers they belong to.

import { keep, recall } from '../lib/storage'
import type { About, Picture } from '../lib/types'

const KEY = 'sandtable.layers.'

/** The layers that are off: as the player left them, at first as the game says. */
export function hiddenLayers(about: About): Set<string> {
  const kept = recall(KEY + about.game)
  const layers = about.layers ?? []
  if (!kept) return new Set(layers.filter((layer) => layer.off).map((layer) => layer.id))
  return new Set((JSON.parse(kept) as string[]).filter((id) => layers.some((one) => one.id === id)))
}

/** The same with a layer switched, which is remembered. */
export function switchLayer(about: About, hidden: Set<string>, id: string): Set<string> {
  const next = new Set(hidden)
  if (!next.delete(id)) next.add(id)
  keep(KEY + about.game, JSON.stringify([...next]))
  return next
}

/** A picture without what belongs to hidden layers. */
export function without(picture: Picture, hidden: Set<string>): Picture {
  if (hidden.size === 0) return picture
  const shown = ({ layer = '' }: { layer?: string }) => !hidden.has(layer)
  return {
    ...picture,
    spaces: Object.fromEntries(
      Object.entries(picture.spaces).map(([id, space]) => [
        id,
        space.marks?.every(shown) === false
          ? { ...space, marks: space.marks.filter(shown) }
          : space,
      ]),
    ),
    borders: picture.borders?.filter(shown),
    routes: picture.routes?.filter(shown),
  }
}
