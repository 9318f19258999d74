-- When the ledger of the home country confirmed the account's wallet. Until then a job goes on asking for it.
ALTER TABLE accounts ADD COLUMN wallet_opened_at TIMESTAMPTZ(6);

CREATE INDEX accounts_without_wallet ON accounts (home_country, created_at) WHERE wallet_opened_at IS NULL;

-- What merchants' servers asked of the payments hosts, for as long as domain/merchant-request.ts says. No foreign key: the
-- log is written in one piece, and a row of nobody is shown to nobody.
CREATE TABLE merchant_requests (
    request_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    -- The number of the error; 0 when there was none.
    code INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT merchant_requests_pkey PRIMARY KEY (request_id),
    CONSTRAINT merchant_requests_lengths CHECK (
        length(request_id) <= 64 AND length(account_id) <= 64 AND length(method) <= 8 AND length(path) <= 128
    )
);

CREATE INDEX merchant_requests_account_id_at_request_id_idx
    ON merchant_requests (account_id, at DESC, request_id DESC);

CREATE INDEX merchant_requests_at_idx ON merchant_requests (at);
