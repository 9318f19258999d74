import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Pixels a module, and the light border that readers need, in modules. */
const scale = 6
const border = 4

/** A QR code as a PNG, black on white. */
export function drawCode(text: string): Buffer {
  const { data, size } = encode(text, { border })
  const side = size * scale
  const rows = data.flatMap((modules) => {
    const row = Buffer.from([
      0,
      ...modules.flatMap((isDark) => Array<number>(scale).fill(isDark ? 0 : 255)),
    ])
    return Array<Buffer>(scale).fill(row)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits of grey a pixel.
  header.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
