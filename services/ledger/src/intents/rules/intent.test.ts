import { conflict } from '@malipo/kernel/machine'
import { intentEvents, intentMachine, intentStatuses } from './intent'

test('the transition table of an intent, event by event', () => {
  const width = Math.max(...intentStatuses.map((status) => status.length))
  const lines = intentStatuses.map((status) =>
    [
      status.padEnd(width),
      ...intentEvents.map((event) => {
        const next = intentMachine[status][event]
        const cell = next === conflict ? 'conflict' : next === status ? '·' : next
        return `${event}:${cell}`
      }),
    ].join(' '),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   created   reserved:reserved withheld:failed submitted:conflict acknowledged:conflict refused:conflict confirmed:conflict declined:conflict lapsed:expired reversed:conflict
   reserved  reserved:· withheld:failed submitted:submitted acknowledged:conflict refused:conflict confirmed:conflict declined:conflict lapsed:expired reversed:conflict
   submitted reserved:· withheld:conflict submitted:· acknowledged:pending refused:failed confirmed:completed declined:failed lapsed:expired reversed:conflict
   pending   reserved:· withheld:conflict submitted:· acknowledged:· refused:conflict confirmed:completed declined:failed lapsed:expired reversed:conflict
   completed reserved:· withheld:conflict submitted:· acknowledged:· refused:conflict confirmed:· declined:conflict lapsed:· reversed:reversed
   failed    reserved:· withheld:· submitted:· acknowledged:· refused:· confirmed:completed declined:· lapsed:· reversed:conflict
   expired   reserved:· withheld:· submitted:· acknowledged:· refused:· confirmed:completed declined:· lapsed:· reversed:conflict
   reversed  reserved:· withheld:conflict submitted:· acknowledged:· refused:conflict confirmed:· declined:conflict lapsed:· reversed:·
   "
  `)
})
