/** The domains of all simulated providers: whole domains, because providers add hosts without notice. */
const realProviders =
  /(?:^|[/.@-])(?:safaricom\.co\.ke|mtn\.com|mtn\.co\.ug|momo\.africa|gateway\.mastercard\.com)\b|(?:^|\/\/|[.@])airtel\.[a-z]{2}/i

export function namesRealProvider(text: string): boolean {
  return realProviders.test(text)
}
