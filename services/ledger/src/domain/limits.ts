/** New prompts within any rolling hour (interface, Rate limits). Replays and re-attachments are not counted. */
export const promptsPerPhoneMax = 5
export const promptsPerCheckoutMax = 20
/** The same of attempts by card, which ring no phone. */
export const cardAttemptsPerCheckoutMax = 10
/** How long a prompt waits for another one on its phone: long enough for one that is never answered. */
export const queueSeconds = 90
