import type { Response } from 'express'
import type { SimulatedTime } from '../clock/rules/clock'
import type { WireAnswer } from '../providers/rules/rail'

const drops = 20

/** Sends the head at once and the body slowly, so that the caller sees an answer that does not end. */
export function drip(
  time: SimulatedTime,
  response: Response,
  answer: WireAnswer,
  ms: number,
): void {
  const bytes = Buffer.from(answer.body)
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': bytes.length,
  })
  response.flushHeaders()
  const size = Math.ceil(bytes.length / drops)
  const sendFrom = (start: number) => {
    if (start >= bytes.length) {
      response.end()
      return
    }
    response.write(bytes.subarray(start, start + size))
    time.after(ms / drops, () => {
      sendFrom(start + size)
    })
  }
  sendFrom(0)
}
