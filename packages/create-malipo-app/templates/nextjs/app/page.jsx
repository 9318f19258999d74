export default function Shop() {
  return (
    <form method="post" action="/buy">
      <button>Two bags of coffee, KES 1,500</button>
    </form>
  )
}
