import { meaningOfResult } from './result-codes'

test.each([
  ['0', 'paid'],
  ['1', 'no_funds'],
  ['2', 'over_limit'],
  ['3', 'over_limit'],
  ['4', 'over_limit'],
  ['8', 'refused'],
  ['17', 'too_soon'],
  ['26', 'busy'],
  ['1001', 'session_open'],
  ['1019', 'prompt_expired'],
  ['1025', 'busy'],
  ['1032', 'cancelled'],
  ['1037', 'no_answer'],
  ['1101', 'refused'],
  ['2001', 'wrong_pin'],
  ['2028', 'refused'],
  ['4999', 'processing'],
  ['8006', 'locked'],
  ['9999', 'busy'],
  ['SFC_IC0003', 'refused'],
])('%s means %s', (code, meaning) => {
  expect(meaningOfResult(code)).toBe(meaning)
})

test.each(['', '00', '5', '1036', '2029', 'E3008', 'constructor'])('"%s" means nothing', (code) => {
  expect(meaningOfResult(code)).toBeUndefined()
})
