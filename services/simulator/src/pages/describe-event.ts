import type { SimEvent } from '../inspector/rules/event-log'
import { ruleSentence } from '../faults/rules/rule-texts'

export function describeEvent({ kind, facts }: SimEvent): string {
  const sentence = sentences[kind]
  return sentence === undefined ? plain(kind, facts) : sentence((name) => shown(facts[name]))
}

type Fact = (name: string) => string

const sentences: Readonly<Partial<Record<SimEvent['kind'], (fact: Fact) => string>>> = {
  reset: (fact) => `A new simulation begins, with seed ${fact('seed')}`,
  call_answered: (fact) =>
    fact('sent') === 'nothing'
      ? `${fact('call')}: no answer`
      : `${fact('call')}: answered ${fact('status')} in ${fact('took_ms')} ms`,
  request_refused: (fact) =>
    `${fact('call') || 'A call'} refused: ${fact('why')}${also(', nearest is', fact('near'))}`,
  push_accepted: (fact) => `Push accepted for ${fact('msisdn')}`,
  payout_accepted: (fact) => `Payout accepted for ${fact('msisdn')}`,
  prompt_opened: (fact) =>
    `Prompt on ${fact('msisdn')}${fact('shown') === 'false' ? ', which does not show it' : ''}`,
  prompt_closed: (fact) => `Prompt closed: ${fact('outcome').replaceAll('_', ' ')}`,
  prompt_ignored: (fact) => `${fact('msisdn')} looks away from the prompt`,
  money_moved: (fact) => `Money moved, receipt ${fact('receipt')}`,
  rule_applied: (fact) =>
    `${fact('rule')}: ${ruleSentence({ on: fact('on'), effect: fact('effect'), detail: fact('detail') })}`,
  network_refused: (fact) => `The network refused: ${fact('why')}`,
  callback_delivered: (fact) =>
    `Callback ${also('', fact('copy'))}, result ${fact('result')}: receiver answered ${fact('status')} in ${fact('took_ms')} ms`,
  callback_failed: (fact) =>
    `Callback, result ${fact('result')}, was not delivered: ${fact('reason')}`,
  callback_dropped: (fact) => `Callback, result ${fact('result')}, never sent`,
  query_answered: (fact) => `Status query answered: ${fact('result')}`,
  validation_ended: (fact) => `Merchant asked about a menu payment: ${fact('code')}`,
  menu_refused: (fact) => `Menu payment refused: ${fact('why')}`,
  pull_answered: (fact) => `Statement answered: ${fact('rows')} rows`,
}

function also(words: string, value: string): string {
  return value === '' ? '' : `${words} ${value}`.trim()
}

function plain(kind: string, facts: SimEvent['facts']): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`)
  return [kind.replaceAll('_', ' '), ...pairs].join(' · ')
}

function shown(value: string | number | boolean | undefined): string {
  return value === undefined ? '' : String(value)
}
