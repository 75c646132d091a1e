//! What the service is known to say, and the step that each text leads to.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

const PRINCIPAL: &str = "aaaaaaaa-0000-4000-8000-00000000000a";
const TENANT: &str = "bbbbbbbb-0000-4000-8000-00000000000b";
const RBAC: &str = "Request blocked by Auth contoso : Request is blocked because principal [aaaaaaaa-0000-4000-8000-00000000000a] does not have required RBAC permissions to perform action [Microsoft.DocumentDB/databaseAccounts/readMetadata] on resource [/].";
const OTHER_TENANT: &str = "Provided AAD token was issued by the authority [cccccccc-0000-4000-8000-00000000000c] which is not trusted by this database account. Please ensure the token has been issued by the AAD tenant(s) [bbbbbbbb-0000-4000-8000-00000000000b]";

/// Status, sub-status, text; what is said of it, and the step. Texts of the shapes that the service is known to send.
const ROWS: [(u16, u16, &str, &str, &str); 31] = [
    (
        401,
        0,
        "The MAC signature found in the HTTP request is not the same as the computed signature.",
        "the key is not one of this account",
        "copy a key again",
    ),
    (
        401,
        5202,
        "Local Authorization is disabled. Use an AAD token to authorize all requests.",
        "does not take keys",
        "az login",
    ),
    (
        401,
        0,
        "Local Authorization is disabled. Use an AAD token to authorize all requests.",
        "does not take keys",
        "public network access",
    ),
    (401, 5007, OTHER_TENANT, "another directory", "--tenant bbbbbbbb-0000-4000-8000-00000000000b"),
    (
        401,
        5007,
        "issued by the authority [cccccccc-0000-4000-8000-00000000000c] which is not trusted by this database account. tenant(s) []",
        "another directory",
        "--tenant TENANT",
    ),
    (401, 0, OTHER_TENANT, "another directory", TENANT),
    (
        401,
        5008,
        "Provided AAD token is intended for [https://contoso.documents.azure.com/].",
        "another service or cloud",
        "global endpoint",
    ),
    (401, 5006, "", "the token is invalid", "az login"),
    (401, 5005, "", "the token is invalid", "clock"),
    (401, 0, "", "credentials not accepted", "az login"),
    (
        403,
        5300,
        "The given request [POST /dbs/shop/colls] cannot be authorized by AAD token in data plane.",
        "may not read",
        "read-only key",
    ),
    (403, 5301, RBAC, "may not read", PRINCIPAL),
    (403, 5301, RBAC, "may not read", "--account-name 'contoso'"),
    (403, 5302, RBAC, "may not read", "Built-in Data Reader"),
    (
        403,
        5301,
        "principal ['; rm -rf ~] does not have",
        "may not read",
        "--principal-id '<object-id>'",
    ),
    (
        403,
        0,
        "Request originated from IP 203.0.113.7 through public internet. This is blocked by your Cosmos DB account firewall settings.",
        "203.0.113.7",
        "under Networking",
    ),
    (
        403,
        0,
        "Request originated from client VNET through service endpoint.",
        "refuses the network path",
        "the subnet",
    ),
    (
        403,
        0,
        "Request originated from client VNET through private endpoint.",
        "refuses the network path",
        "DNS",
    ),
    (403, 0, "Request is blocked by network security perimeter.", "perimeter", "inbound rule"),
    (
        403,
        0,
        "Request is blocked. Please check your authorization token and Cosmos DB account firewall settings.",
        "firewall",
        "under Networking",
    ),
    (
        403,
        0,
        "Insufficient permissions provided in the authorization header for the corresponding request.",
        "may not read",
        "read-only key",
    ),
    (403, 3, "", "may not read", "region"),
    (429, 3200, "Request rate is large.", "429/3200", "RU/s of the second"),
    (429, 3088, "", "429/3088", "splitting"),
    (429, 3212, "", "429/3212", "throughput bucket"),
    (429, 4242, "", "429/4242", "at its limit"),
    (
        400,
        0,
        "The client does not support partition merge.",
        "partition merge is on",
        "--resource-id",
    ),
    (
        400,
        0,
        "Invalid API version. Ensure a valid x-ms-version header value is passed.",
        "version of its protocol",
        "update",
    ),
    (410, 1002, "", "split, merged or moved", "read again"),
    (410, 1007, "", "splitting or merging", "read again"),
    (410, 1008, "", "moves to another server", "read again"),
];

#[test]
fn each_text_of_the_service_leads_to_its_step() {
    let documents = Inquiry::container(Kind::Documents, "shop", "orders");
    for (status, sub_status, message, what, next) in ROWS {
        let message = message.to_owned();
        let refusal = Refusal { status, sub_status, message, ..Refusal::default() };
        let told = refused(&refusal, &documents, "contoso.documents.azure.com");
        let (row, step) =
            (format!("{status}/{sub_status} {}", refusal.message), told.next.unwrap());
        assert!(told.what.contains(what), "{row}: {}", told.what);
        assert!(step.contains(next), "{row}: {step}");
    }
}

#[test]
fn throughput_is_missed_by_its_own_reason() {
    let offer = Inquiry::container(Kind::Offer, "shop", "orders");
    for (status, sub_status, message, what) in [
        (
            400,
            0,
            "Reading or replacing offers is not supported for serverless accounts.",
            "serverless",
        ),
        (400, 0, "unknown", "does not report RU/s"),
        (400, 0, "The client does not support partition merge.", "partition merge is on"),
        (400, 0, "Ensure a valid x-ms-version header value is passed.", "version of its protocol"),
        (
            403,
            5300,
            "The given request [POST /offers] cannot be authorized by AAD token in data plane.",
            "may not read throughput",
        ),
    ] {
        let message = message.to_owned();
        let refusal = Refusal { status, sub_status, message, ..Refusal::default() };
        let told = refused(&refusal, &offer, "contoso.documents.azure.com");
        assert!(told.what.contains(what), "{}", told.what);
    }
}

/// Lists are charged to the account: no partition is to blame.
#[test]
fn a_list_that_is_throttled_blames_no_partition() {
    let list = Inquiry::account(Kind::Databases);
    let refusal = Refusal { status: 429, sub_status: 3200, ..Refusal::default() };
    let next = refused(&refusal, &list, "contoso.documents.azure.com").next.unwrap();
    assert!(!next.contains("partition"), "{next}");
    // A name is no reason.
    let message = "the container merge-queue".to_owned();
    let refusal = Refusal { status: 400, message, ..Refusal::default() };
    let what = refused(&refusal, &list, "contoso.documents.azure.com").what;
    assert!(!what.contains("merge is on"), "{what}");
}
