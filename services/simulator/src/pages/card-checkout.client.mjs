// What a shop's page loads as checkout.min.js: it leads the payer to the page for cards and reports how they came back.
;(() => {
  const script = document.currentScript
  const { origin } = new URL(script.src)
  // A script that was loaded below a session's prefix leads to the card pages below the same prefix.
  const prefix = /^\/s\/[^/]+/.exec(new URL(script.src).pathname)?.[0] ?? ''
  let session

  /**
   * Reports how the payer came back to what the script's attribute for it names: a function of the page, or an address.
   */
  function report(end, ...given) {
    const target = script.getAttribute(`data-${end}`)
    if (target === null) return
    if (typeof window[target] === 'function') window[target](...given)
    else location.assign(target)
  }

  function problem(explanation) {
    report('error', { cause: 'INVALID_REQUEST', explanation, result: 'ERROR' })
  }

  function payPage() {
    const here = location.href.split('#')[0]
    const path = `${prefix}/checkout/pay/${encodeURIComponent(session)}`
    return `${origin}${path}?openedBy=${encodeURIComponent(here)}`
  }

  window.Checkout = {
    configure(options) {
      session = options?.session?.id
      if (session === undefined) problem('Missing session.id')
    },
    showPaymentPage() {
      if (session === undefined) problem('Checkout.configure has not been called')
      else location.assign(payPage())
    },
    showEmbeddedPage(selector) {
      const place = document.querySelector(selector)
      if (session === undefined || place === null) {
        problem('Checkout.configure has not been called, or there is no such element')
        return
      }
      const frame = document.createElement('iframe')
      frame.src = payPage()
      frame.title = 'Pay with a card'
      frame.style = 'width: 100%; min-height: 40rem; border: 0'
      place.replaceChildren(frame)
    },
  }

  const [, end, indicator, version] =
    /^#__hc-action-(complete|cancel|timeout)(?:-(\w+)-(\w+))?$/.exec(location.hash) ?? []
  if (end === undefined) return
  const reportEnd = () => report(end, indicator, version)
  // The page's own functions may be defined after this script.
  if (document.readyState === 'complete') reportEnd()
  else window.addEventListener('load', reportEnd)
})()
