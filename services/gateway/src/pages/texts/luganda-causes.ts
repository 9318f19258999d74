import type { CauseTexts, RailCauseTexts } from './texts'

export const lugandaCauses: CauseTexts = {
  wrong_pin: () => [
    'PIN nkyamu',
    'Ddamu ogezeeko n’obwegendereza: PIN enkyamu ennyingi ziggalawo akawunti yo.',
  ],
  no_funds: (rail) => [
    `Ssente eziri ku ${rail} yo tezimala`,
    'Ssente z’olina tezimaze muwendo na bisale byagwo. Teekako ssente, oba sasulira ku ssimu endala.',
  ],
  cancelled: () => ['Okusaba kusaziddwamu', 'Bw’oba si ky’obadde oyagala, ddamu ogezeeko.'],
  no_answer: () => [
    'Okusaba tekwaddiddwamu mu budde',
    'Essimu yo gireke ng’eyaka, ng’egguddwa era ng’eri ku mutimbagano, oddemu ogezeeko.',
  ],
  prompt_expired: () => [
    'Obudde bw’okusaba buweddeko',
    'Beera n’essimu yo okumpi, oddemu ogezeeko.',
  ],
  session_open: (rail) => [
    'Wabaddewo okusaba okulala okuggule ku ssimu yo',
    `N’olwekyo kuno tekuyiseemu. Maliriza oba ggalawo okulala, linda eddakiika bbiri, oddemu ogezeeko. ${rail} ekwata kumu ku kumu.`,
  ],
  too_soon: (rail) => [
    'Tewannayita kiseera kimala okuva ku kusasula kwo okwasembayo',
    `${rail} ekkiriza omuwendo gwe gumu okuva ku ssimu emu omulundi gumu gwokka mu ddakiika bbiri. Linda eddakiika bbiri, oddemu ogezeeko.`,
  ],
  busy: (rail) => [`${rail} ekola nnyo kati`, 'Linda eddakiika emu, oddemu ogezeeko.'],
  over_limit: (rail) => [
    'Omuwendo guli wabweru w’ekkomo lyo',
    `Mutono oba munene okusinga ${rail} gw’ekkiriza ennamba eno okuweereza kati. Sasula mu ngeri endala, oba gezaako enkya bw’oba nga waweerezza ssente nnyingi leero.`,
  ],
  not_registered: (rail) => [
    `Ennamba eno terina ${rail}`,
    'Kebera emiwendo, oba kozesa ennamba ewandiisiddwa.',
  ],
  locked: (rail) => [
    'PIN yo esibiddwa',
    `Abakola ku bakasitoma ba ${rail} basobola okugisumulula. Osobola n’okusasulira ku ssimu endala.`,
  ],
  card_declined: () => [
    'Kaadi egaaniddwa',
    'Bbanka ya kaadi tekkirizza. Gezaako kaadi endala, oba sasulira ku ssimu.',
  ],
  card_expired: () => ['Kaadi yaggwaako', 'Kozesa kaadi endala, oba sasulira ku ssimu.'],
  card_not_authenticated: () => [
    'Bbanka yo tekakasizza nti ggwe wuuyo',
    'Ddamu ogezeeko ogoberere bbanka yo by’ekusaba, oba sasula mu ngeri endala.',
  ],
  not_started: (rail) => [
    'Okusaba tekwaweerezeddwa',
    `Tetwasobodde kutuuka ku ${rail} mu budde. Ddamu ogezeeko.`,
  ],
  refused: (rail) => [
    `${rail} tekkirizza kusaba`,
    'Si nsobi yo. Ddamu ogezeeko mu ddakiika ntono, oba buuza engeri endala ey’okusasula.',
  ],
  unknown: () => ['Okusasula tekugenze mu maaso', 'Kebera obubaka bwo nga tonnaddamu kugezaako.'],
}

export const lugandaRailCauses: RailCauseTexts = {
  mtn_momo: {
    no_funds: (rail) => [
      `${rail} tekkirizza kusasula kuno`,
      'Kebera nti ssente z’olina zimala omuwendo n’ebisale byagwo, era nti PIN yo ntuufu. Oluvannyuma ddamu ogezeeko.',
    ],
  },
  airtel_money: {
    refused: (rail) => [
      `${rail} tekkirizza kusaba`,
      `Tetegeezezza nsonga. Ddamu ogezeeko mu ddakiika ntono. Bwe kiddamu, buuza abakola ku bakasitoma ba ${rail}, oba sasula mu ngeri endala.`,
    ],
  },
}
