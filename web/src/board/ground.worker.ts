// Draws the ground of the map beside the page, one bitmap after another.

import { drawGround, type Cover, type Part } from './ground'
import { Sheet, type TopoFile } from './sheet'

export type Order =
  | { type: 'map'; file: TopoFile }
  | { type: 'cover'; cover: Cover }
  | { type: 'draw'; job: number; part: Part }
export interface Drawn {
  job: number
  bitmap: ImageBitmap
}

let sheet: Sheet | null = null
let cover: Cover | null = null

self.onmessage = ({ data }: MessageEvent<Order>) => {
  if (data.type === 'map') sheet = new Sheet(data.file)
  else if (data.type === 'cover') cover = data.cover
  else if (sheet && cover) {
    const canvas = new OffscreenCanvas(data.part.width, data.part.height)
    drawGround(canvas.getContext('2d', { alpha: false })!, sheet, cover, data.part)
    const bitmap = canvas.transferToImageBitmap()
    const drawn: Drawn = { job: data.job, bitmap }
    postMessage(drawn, { transfer: [bitmap] })
  }
}
