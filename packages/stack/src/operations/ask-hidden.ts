import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks at the terminal, and shows nothing of what is typed. */
export function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  // The terminal is in raw mode, and what would echo goes nowhere.
  const output = new Writable({
    write(_chunk, _encoding, done) {
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  return new Promise((answer, reject) => {
    terminal.once('SIGINT', () => {
      terminal.close()
      reject(new Error('Nothing was given'))
    })
    terminal.question('', (text) => {
      terminal.close()
      process.stderr.write('\n')
      answer(text)
    })
  })
}
