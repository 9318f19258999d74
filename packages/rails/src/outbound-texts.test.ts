import { description } from './outbound-texts'

test.each([
  ['Mama Mboga', 'Mama Mboga'],
  ['Mama Mboga Fresh', 'Mama Mboga'],
  ['Wanjik\u0169\u2019s & Sons', 'Wanjikus Sons'],
  ['Supermarketing', 'Supermarketin'],
  ['Caf\u00e9-Nairobi', 'Cafe Nairobi'],
  ['\u0645\u062a\u062c\u0631', 'Payment'],
])('a provider gets the name "%s" in 13 characters as "%s"', (name, text) => {
  expect(description(name, 13)).toBe(text)
})
