import type { Check } from './check'
import type { Command } from './command'
import { diagnose } from './diagnose'
import { exitCodes } from './exit-codes'
import type { Output } from './output'

export const doctor: Command = {
  words: ['doctor'],
  options: {
    webhook: {
      value: 'URL',
      about: 'also check your own endpoint: it must refuse a request without a signature',
    },
  },
  summary: 'Say what is right and what is wrong, and what to do',
  about:
    'Looks at key, address, TLS, host, clock, whether the host accepts the key, simulator and your endpoint, in this order.',
  async run({ webhook }, { settings, output, signal }) {
    const checks: Check[] = []
    for await (const check of diagnose(settings, { signal, webhook })) {
      checks.push(check)
      if (!output.isJson) output.result(check, showCheck(check, output))
    }
    const isOk = checks.every(({ outcome }) => outcome !== 'wrong')
    if (output.isJson) output.result({ ok: isOk, checks }, '')
    return isOk ? exitCodes.done : exitCodes.refused
  },
}

const marks = {
  right: { colour: 'green', sign: '✓' },
  wrong: { colour: 'red', sign: '✗' },
  skipped: { colour: 'faint', sign: '-' },
} as const

function showCheck({ name, outcome, detail, advice }: Check, { paint }: Output): string {
  const { colour, sign } = marks[outcome]
  const line = `${paint(colour, sign)} ${name.padEnd(10)} ${detail}`
  return advice === undefined ? line : `${line}\n${' '.repeat(13)}${advice}`
}
