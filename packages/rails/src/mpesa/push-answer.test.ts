import { readPushAnswer } from './push-answer'
import { recorded } from './recorded.harness'

const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })
const accepted = { kind: 'accepted', providerRequestId: 'ws_CO_20112026142501373708374149' }

test.each<[string, object]>([
  ['push-answer-accepted', accepted],
  ['push-answer-accepted-without-customer-message', accepted],
  [
    'push-answer-accepted-older-merchant-id',
    { kind: 'accepted', providerRequestId: 'ws_CO_DMZ_12321_23423476' },
  ],
  ['push-error-invalid-phone-number', refused('not_registered', '400.002.02')],
  ['push-error-invalid-amount', refused('refused', '400.002.02')],
  ['push-error-invalid-callback-url', refused('refused', '400.002.02')],
  ['push-error-invalid-remarks', refused('refused', '400.002.02')],
  ['push-error-invalid-short-code', refused('refused', '400.002.02')],
  ['push-error-invalid-timestamp', refused('refused', '400.002.02')],
  ['any-error-capitalised-keys', refused('refused', '400.002.02')],
  ['push-error-merchant-does-not-exist', refused('refused', '500.001.1001')],
  ['push-error-wrong-credentials', refused('refused', '500.001.1001')],
  ['push-error-wrong-credentials-validate-form', refused('refused', '500.001.1001')],
  ['push-error-subscriber-locked', refused('session_open', '500.001.1001')],
  ['push-error-invalid-access-token', refused('refused', '404.001.03')],
  ['any-error-quota-violation', refused('busy', '500.003.03')],
  ['any-error-resource-not-found', refused('refused', '404.001.01')],
  ['any-error-method-not-allowed', refused('refused', '405.001')],
  ['any-error-spike-arrest', { kind: 'throttled', providerCode: '500.003.02' }],
  ['any-error-system-busy', { kind: 'throttled', providerCode: '500.003.02' }],
  ['any-error-internal', { kind: 'unknown', detail: 'http 500, 500.003.1001' }],
  ['any-error-web-firewall', { kind: 'unknown', detail: 'http 503' }],
  // The words of a status query, on the push: whatever it means, it is no refusal.
  ['query-answer-processing-error', { kind: 'unknown', detail: 'http 500, 500.001.1001' }],
])('%s', (name, outcome) => {
  const { status, body } = recorded(name)
  expect(readPushAnswer(status, body)).toEqual(outcome)
})

test.each([
  ['an empty body', 200, ''],
  ['a cut-off body', 200, '{"CheckoutRequestID":"ws_CO_1","Respo'],
  ['a response code other than 0', 200, '{"CheckoutRequestID":"ws_CO_1","ResponseCode":"1"}'],
  [
    'the words of acceptance under a 500',
    500,
    '{"CheckoutRequestID":"ws_CO_1","ResponseCode":"0"}',
  ],
  ['no id of the prompt', 200, '{"ResponseCode":"0"}'],
  ['a known code with an unlisted message', 500, '{"errorCode":"500.001.1001","errorMessage":"?"}'],
])('%s leaves open whether the phone rings', (_, status, body) => {
  expect(readPushAnswer(status, Buffer.from(body)).kind).toBe('unknown')
})
