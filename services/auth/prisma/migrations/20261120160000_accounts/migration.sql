-- Somebody who can be paid, and what they show of themselves.
CREATE TABLE accounts (
    account_id TEXT NOT NULL,
    -- What made it: the same request again finds the account instead of making another.
    request_id TEXT NOT NULL,
    home_country TEXT NOT NULL,
    display_name TEXT NOT NULL,
    bio TEXT NOT NULL DEFAULT '',
    theme TEXT NOT NULL DEFAULT 'light',
    profile_image_url TEXT,
    cover_image_url TEXT,
    -- What the owner says. Whether the wallet can take money this minute only the ledger knows.
    accepts_payments BOOLEAN NOT NULL DEFAULT true,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT accounts_pkey PRIMARY KEY (account_id),
    CONSTRAINT accounts_account_id_shape CHECK (account_id ~ '^acc_[0-9a-f]{24}$'),
    CONSTRAINT accounts_request_id_length CHECK (length(request_id) BETWEEN 1 AND 64),
    CONSTRAINT accounts_home_country_known CHECK (home_country IN ('ke', 'ug')),
    CONSTRAINT accounts_display_name_length CHECK (length(display_name) BETWEEN 1 AND 64),
    CONSTRAINT accounts_bio_length CHECK (length(bio) <= 280),
    CONSTRAINT accounts_theme_known CHECK (theme IN ('light', 'dark', 'sunset', 'ocean', 'forest')),
    CONSTRAINT accounts_profile_image_https CHECK (
        profile_image_url ~ '^https://[^[:space:]]+$' AND length(profile_image_url) <= 2048
    ),
    CONSTRAINT accounts_cover_image_https CHECK (
        cover_image_url ~ '^https://[^[:space:]]+$' AND length(cover_image_url) <= 2048
    )
);

CREATE UNIQUE INDEX accounts_request_id_key ON accounts (request_id);

-- What an account proves itself with. A table of its own, so that reading an account never reads a hash.
CREATE TABLE credentials (
    account_id TEXT NOT NULL,
    -- argon2id over an HMAC with a pepper that is not in here.
    password_hash TEXT NOT NULL,
    -- Null until the PIN is set.
    pin_hash TEXT,

    CONSTRAINT credentials_pkey PRIMARY KEY (account_id),
    CONSTRAINT credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT credentials_are_hashes CHECK (
        password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%' AND pin_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'
    )
);

-- One namespace for usernames and link addresses, compared without case.
CREATE TABLE handles (
    -- The handle in lower case: what is compared.
    folded TEXT NOT NULL,
    -- As its owner writes it.
    handle TEXT NOT NULL,
    account_id TEXT NOT NULL,
    kind TEXT NOT NULL,

    CONSTRAINT handles_pkey PRIMARY KEY (folded),
    CONSTRAINT handles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT handles_handle_shape CHECK (handle ~ '^[A-Za-z0-9._-]{1,64}$'),
    CONSTRAINT handles_folded_is_lower CHECK (folded = lower(handle COLLATE "C")),
    CONSTRAINT handles_kind_known CHECK (kind IN ('username', 'link')),
    -- It would catch money meant for a Pay Bill number, which people type with dots and dashes too.
    CONSTRAINT handles_no_pay_bill_number CHECK (translate(folded, '._-', '') !~ '^cs[0-9]{8}$')
);

CREATE UNIQUE INDEX handles_one_username_per_account ON handles (account_id) WHERE kind = 'username';

CREATE TABLE social_links (
    account_id TEXT NOT NULL,
    position SMALLINT NOT NULL,
    platform TEXT NOT NULL,
    url TEXT NOT NULL,

    CONSTRAINT social_links_pkey PRIMARY KEY (account_id, position),
    CONSTRAINT social_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT social_links_ten_at_most CHECK (position BETWEEN 0 AND 9),
    CONSTRAINT social_links_platform_shape CHECK (platform ~ '^[a-z][a-z0-9_-]{0,31}$'),
    CONSTRAINT social_links_url_https CHECK (url ~ '^https://[^[:space:]]+$' AND length(url) <= 2048)
);
