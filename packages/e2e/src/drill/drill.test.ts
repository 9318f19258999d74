import { main } from './drill'

test.each(['0', '-1', '1.5', 'many'])(
  'refuses --rounds %s before anything starts',
  async (rounds) => {
    await expect(main([`--rounds=${rounds}`])).rejects.toThrow(
      `--rounds has to be a whole number from 1 on, and not ${rounds}`,
    )
  },
)
