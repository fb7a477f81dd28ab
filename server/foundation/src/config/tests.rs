//! Tests of the precedence of settings and of error messages.

use super::*;

fn read(arguments: &[&str]) -> Result<CommandLine, String> {
    let arguments = std::iter::once("quotient-server").chain(arguments.iter().copied());
    CommandLine::read(arguments.map(OsString::from)).map_err(|error| error.to_string())
}

/// Reads arguments with a settings file of this text.
#[expect(clippy::unwrap_in_result, reason = "a test fails if its file cannot be written")]
fn read_with(text: &str, arguments: &[&str]) -> Result<CommandLine, String> {
    let file = tempfile::Builder::new().prefix("quotient-").tempfile().unwrap();
    std::fs::write(&file, text).unwrap();
    let mut all = vec!["--config", file.path().to_str().unwrap()];
    all.extend(arguments);
    read(&all)
}

#[test]
fn defaults_are_those_of_the_reference() {
    let settings = read(&[]).unwrap().settings;

    assert_eq!(settings.http.listen.to_string(), "127.0.0.1:9000");
    assert_eq!(settings.limits.store_per_minute, 1_200);
    assert!(settings.http.allowed_origins.is_empty());
    assert_eq!(settings.http.max_connections, 10_240);
    let limits = &settings.limits;
    assert_eq!((limits.running_requests, limits.waiting_requests), (128, 32));
}

#[test]
fn the_command_line_wins_over_the_file_and_the_file_over_defaults() {
    let text = "store_per_minute = 5\nallowed_origins = [\"https://a.example\", \"https://b.example\"]\nempty = true";

    let settings = read_with(text, &[]).unwrap().settings;
    assert_eq!(settings.limits.store_per_minute, 5);
    assert_eq!(settings.http.allowed_origins, ["https://a.example", "https://b.example"]);
    assert!(settings.store.empty);

    let settings = read_with(text, &["serve", "--store-per-minute", "6"]).unwrap().settings;
    assert_eq!(settings.limits.store_per_minute, 6);
}

const FOUR_SECRETS: &str = "--card-processor-webhook-secrets=aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb,cccccccccccccccc,dddddddddddddddd";

#[test]
fn a_wrong_setting_is_named() {
    for (name, text, arguments, key) in [
        ("unknown", "stor_per_minute = 5", &[][..], "stor_per_minute"),
        ("range", "store_per_minute = 0", &[], "--store-per-minute"),
        ("type", "listen = 9000", &[], "--listen"),
        ("syntax", "listen = ", &[], "quotient-"),
        ("star", "", &["--allowed-origins", "*"], "allowed_origins"),
        ("path", "", &["--allowed-origins", "https://a.example/"], "allowed_origins"),
        ("zone", "", &["--timezone", "Mars/Olympus"], "timezone"),
        ("no zone", "", &["--timezone", "Etc/Unknown"], "timezone"),
        ("filter", "", &["--log", "=x=="], "log"),
        ("mail", "smtp_from = \"a@shop.example\"", &[], "smtp_host"),
        ("sender", "smtp_host = \"mail.shop.example\"", &[], "smtp_from"),
        ("mailbox", "smtp_from = \"shop\"", &[], "--smtp-from"),
        ("port", "smtp_port = 0", &[], "--smtp-port"),
        ("storefront", "storefront_url = \"shop.example\"", &[], "storefront_url"),
        ("admin", "", &["--admin-url", "ftp://shop.example"], "admin_url"),
        ("query", "", &["--admin-url", "https://shop.example?a=b"], "admin_url"),
        (
            "password",
            "smtp_host = \"mail.shop.example\"\nsmtp_from = \"a@shop.example\"\nsmtp_user = \"a\"",
            &[],
            "smtp_password",
        ),
        (
            "clear",
            "smtp_host = \"mail.shop.example\"\nsmtp_from = \"a@shop.example\"\nsmtp_user = \"a\"\nsmtp_password = \"b\"",
            &["--smtp-encryption", "none"],
            "smtp_encryption",
        ),
        (
            "key in the clear",
            "stripe_secret_key = \"sk_live_1\"\nstripe_api = \"http://127.0.0.1.shop.example/\"",
            &[],
            "stripe_api",
        ),
        (
            "short secret",
            "email_provider_webhook_secrets = [\"whsec_MfKQ9r8GKYqrTw==\"]",
            &[],
            "email_provider_webhook_secrets",
        ),
        (
            "no secret",
            "shipping_platform_webhook_mode = \"record\"",
            &[],
            "shipping_platform_webhook_secrets",
        ),
        ("no key", "sms_provider = \"sandbox\"", &[], "sms_number_key"),
        (
            "short key",
            "sms_provider = \"sandbox\"\nsms_number_key = \"short\"",
            &[],
            "sms_number_key",
        ),
        ("many secrets", "", &[FOUR_SECRETS], "card_processor_webhook_secrets"),
        (
            "scheme",
            "",
            &["--email-provider-webhook-scheme=sha1"],
            "--email-provider-webhook-scheme",
        ),
    ] {
        let error = read_with(text, arguments).unwrap_err();
        assert!(error.contains(key), "{name}: {error}");
    }
}

#[test]
fn help_shows_no_password_of_the_file() {
    let text = "smtp_password = \"hush-hush\"\nadmin_password = \"hush-hush\"\nsms_number_key = \"hush-hush\"
        stripe_secret_key = \"hush-hush\"
        card_processor_webhook_secrets = [\"hush-hush, and again\"]";
    let help = read_with(text, &["--help"]).unwrap_err();
    assert!(help.contains("--smtp-password") && !help.contains("hush-hush"), "{help}");
}

#[test]
fn a_file_that_is_named_must_be_there() {
    assert!(read(&["--config", "/nowhere/quotient.toml"]).unwrap_err().contains("/nowhere"));
}

#[test]
fn every_command_is_read() {
    for arguments in [
        &["serve", "--empty"][..],
        &["--empty"],
        &["admin", "create", "a@example.com"],
        &["keys", "create", "Shop", "--type", "secret"],
        &["keys", "revoke", "apk_1"],
        &["demo", "load"],
        &["backup", "copy.db"],
        &["check"],
        &["openapi"],
    ] {
        assert!(read(arguments).is_ok(), "{arguments:?}: {:?}", read(arguments).err());
    }
}

#[test]
fn an_unknown_variable_is_noticed() {
    let names = ["QUOTIENT_LISTEN", "QUOTIENT_LISTNE", "WAREHOUSE_WEBHOOK_RECORD_ENABLED", "PATH"];
    assert_eq!(without_setting(names.map(OsString::from)), ["QUOTIENT_LISTNE"]);
}
