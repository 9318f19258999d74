import type { OperationId } from './control-routes'

/** An example for each operation that takes a body, shown in the OpenAPI document. */
export const examples: Partial<Record<OperationId, object>> = {
  reset: { seed: 'friday' },
  addPhones: {
    msisdn: '254711000001',
    name: 'Wanjiru',
    balance: '100000',
    policy: { answer: 'approve', after_ms: 2_000 },
  },
  changePhone: { sim_state: 'no_signal' },
  answerPrompt: { action: 'approve' },
  payFromMenu: { business_number: '174379', account_number: 'ORDER117', amount: '15000' },
  buyGoods: { till_number: '5432101', amount: '15000' },
  scanCode: { picture: 'iVBORw0KGgo=' },
  setPolicy: { answer: 'cancel', after_ms: 2_000 },
  addRule: {
    on: 'callback',
    when: { msisdn: '254711000001' },
    effect: { kind: 'duplicate', copies: 2, every_ms: 500 },
    times: 1,
  },
  playPack: { when: { msisdn: '254711000001' } },
  replayEvent: { times: 2, parallel: true },
  expectEvent: { kind: 'callback_delivered', facts: { msisdn: '254711000001' }, within_ms: 5_000 },
  changeClock: { jump_ms: 61_000 },
  takeSnapshot: { name: 'Before the storm' },
}
