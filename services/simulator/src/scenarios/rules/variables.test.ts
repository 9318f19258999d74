import { fill } from './variables'

const variables = new Map([['ORDER', '117']])

test('fills places in texts at any depth, and leaves other values as they are', () => {
  expect(fill({ url: '/o/${ORDER}', list: [{ a: '${ORDER}' }, 1, null] }, variables)).toEqual({
    kind: 'filled',
    value: { url: '/o/117', list: [{ a: '117' }, 1, null] },
  })
})

test('names the first place without a value', () => {
  expect(fill(['${ORDER}', '${OTHER}'], variables)).toEqual({ kind: 'unknown', name: 'OTHER' })
})
