import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** The frame of sign-in and sign-up. */
export function WayIn(props: { readonly title: string; readonly children: ComponentChildren }) {
  const { title, children } = props
  useEffect(() => {
    document.title = `${title} · Malipo`
  }, [title])
  return (
    <main class="way-in">
      <p class="brand">Malipo</p>
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
