import { addressOf } from '../navigation'
import { Empty } from '../parts/states'

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <a href={addressOf('/')}>Go home</a>
    </Empty>
  )
}
