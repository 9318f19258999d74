import { addressOf, place } from '../navigation'

export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly { readonly path: string; readonly text: string }[]
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      <ul>
        {props.tabs.map(({ path, text }) => (
          <li key={path}>
            <a href={addressOf(path)} aria-current={place.value.path === path ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
