import { readHandle } from './profile'

test.each(['mama-mboga', 'A', '9', 'a.b_c-D', 'x'.repeat(64)])(
  '%s has the shape of a handle',
  (text) => {
    expect(readHandle(text)).toBe(text)
  },
)

test.each(['', 'x'.repeat(65), 'mama mboga', 'mboga/', 'café', 'a\n', '@mama'])(
  'the handle %p is refused with 400 1701',
  (text) => {
    expect(() => readHandle(text)).toThrow(
      expect.objectContaining({
        reason: 'invalid_request',
        fields: [expect.objectContaining({ path: 'handle' })],
      }),
    )
  },
)
