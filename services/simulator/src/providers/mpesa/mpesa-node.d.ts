/** Types for the parts of Safaricom's own client that the test calls, because the client has none. */
declare module 'mpesa-node' {
  interface Answer {
    readonly status: number
    readonly data: Readonly<Record<string, unknown>>
  }

  class Mpesa {
    constructor(config: Readonly<Record<string, string>>)
    baseURL: string
    readonly configs: Record<string, string>
    oAuth(): Promise<Answer>
    lipaNaMpesaOnline(
      msisdn: string,
      amount: number,
      callbackUrl: string,
      account: string,
      description?: string,
    ): Promise<Answer>
    lipaNaMpesaQuery(checkoutRequestId: string): Promise<Answer>
    c2bRegister(confirmationUrl: string, validationUrl: string): Promise<Answer>
    c2bSimulate(msisdn: string, amount: number, account: string): Promise<Answer>
    accountBalance(
      shortCode: string,
      idType: number,
      queueUrl: string,
      resultUrl: string,
    ): Promise<Answer>
    transactionStatus(
      transactionId: string,
      party: string,
      idType: number,
      queueUrl: string,
      resultUrl: string,
    ): Promise<Answer>
    reversal(
      transactionId: string,
      amount: number,
      queueUrl: string,
      resultUrl: string,
    ): Promise<Answer>
    b2c(
      sender: string,
      receiver: string,
      amount: number,
      queueUrl: string,
      resultUrl: string,
    ): Promise<Answer>
    b2b(
      sender: string,
      receiver: string,
      amount: number,
      queueUrl: string,
      resultUrl: string,
    ): Promise<Answer>
  }

  export = Mpesa
}
