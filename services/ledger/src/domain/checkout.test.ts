import { checkoutStatus } from './checkout'

const yesAndNo = [true, false]

test('the status of a checkout, by its three facts', () => {
  const lines = yesAndNo.flatMap((isCompleted) =>
    yesAndNo.flatMap((isInFlight) =>
      yesAndNo.map((isTimeUp) => {
        const facts = { isCompleted, isInFlight, isTimeUp }
        const given = Object.entries(facts).flatMap(([name, holds]) => (holds ? [name] : []))
        return `${given.join(', ') || 'none'}: ${checkoutStatus(facts)}`
      }),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   isCompleted, isInFlight, isTimeUp: completed
   isCompleted, isInFlight: completed
   isCompleted, isTimeUp: completed
   isCompleted: completed
   isInFlight, isTimeUp: open
   isInFlight: open
   isTimeUp: expired
   none: open
   "
  `)
})
