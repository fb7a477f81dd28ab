//! Health: the backlog, and a check and a backup on demand.

use quotient_server::database::{Db, Error, Tx};
use quotient_server::state::database_options;
use serde_json::json;

use super::Browser;
use crate::harness::{Person, TestServer};

async fn state(server: &TestServer) -> serde_json::Value {
    server.get(&Person::viewer(), "/admin/server").await.ok()["server"].clone()
}

#[tokio::test]
async fn a_check_on_demand_shows_its_findings_on_the_same_page() {
    let server = TestServer::with_demo(50).await;
    server.scans_on_purpose();
    let admin = Browser::of(&server, &Person::admin()).await;
    assert!(admin.page("/app/health").await.contains("none since the start"));

    let shown = admin.submit("/app/health", &[("action", "check")]).await;

    assert_eq!((shown.status, shown.location()), (303, "/app/health?done=done#upkeep"));
    let check = &state(&server).await["last_check"];
    assert_eq!((&check["consistent"], &check["findings"]), (&json!(true), &json!([])), "{check}");
    let page = admin.page("/app/health?done=done").await;
    assert!(page.contains("<span class=\"chip good\">consistent</span>"), "{page}");

    // The amount paid for an order is the sum of its payments.
    let spoil = "update orders set paid_minor = paid_minor + 1 where rowid = (select min(rowid) from orders)";
    let books = server.other_process();
    books
        .write(move |tx: &Tx<'_>| Ok::<_, Error>(tx.execute(spoil, []).map(drop)?))
        .await
        .expect("a row");
    let found = server.post(&Person::admin(), "/admin/server/check", json!({})).await.ok();
    assert_eq!(found["check"]["consistent"], false, "{found}");
    let page = admin.page("/app/health").await;
    let rule = found["check"]["findings"][0]["rule"].as_str().expect("a rule");
    assert!(page.contains(">inconsistent<") && page.contains(&super::escaped(rule)), "{page}");
}

#[tokio::test]
async fn a_backup_on_demand_is_a_whole_store_beside_the_database() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;

    let shown = admin.submit("/app/health", &[("action", "back-up")]).await;

    assert_eq!(shown.status, 303, "{}", shown.html);
    let backup = state(&server).await["last_backup"].clone();
    let file = backup["file"].as_str().expect("a file");
    assert!(backup["bytes"].as_u64().is_some_and(|bytes| bytes > 100_000), "{backup}");
    let page = admin.page("/app/health").await;
    assert!(page.contains(file), "{page}");
    let path = server.db.path().with_file_name("backups").join(file);
    let copy = Db::open(&database_options(path, server.clock.clone())).expect("a database");
    let count = |tx: &Tx<'_>| {
        let count = tx.query_row("select count(*) from orders", [], |row| row.get::<_, i64>(0));
        Ok::<_, Error>(count?)
    };
    let own = server.other_process().read(count).await.expect("a count");
    assert_eq!(copy.read(count).await.expect("a count"), own);
    // A backup of the same instant replaces it.
    let again = server.post(&Person::admin(), "/admin/server/backups", json!({})).await.ok();
    assert_eq!(again["backup"]["file"], backup["file"], "{again}");
}

#[tokio::test]
async fn the_name_of_a_backup_has_its_instant_and_other_files_are_none() {
    let server = TestServer::empty().await;
    assert_eq!(state(&server).await["last_backup"], json!(null));
    let folder = server.db.path().with_file_name("backups");
    std::fs::create_dir(&folder).expect("a folder");
    let own = "quotient-20261121T100000.250Z.db";
    for name in [own, "quotient.db", "quotient-20261121T100000.250Z.part", &format!("{own}.part")] {
        std::fs::write(folder.join(name), name).expect("a file");
    }

    let backup = state(&server).await["last_backup"].clone();

    assert_eq!(
        backup,
        json!({ "file": own, "at": "2026-11-21T10:00:00.250Z", "bytes": own.len() })
    );
    server.clock.advance(250);
    let made = server.post(&Person::admin(), "/admin/server/backups", json!({})).await.ok();
    assert_eq!(made["backup"]["file"], "quotient-20261121T120000.250Z.db");
}

#[tokio::test]
async fn pending_work_is_shown_and_only_admins_have_buttons() {
    let server = TestServer::with_demo(50).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let own = state(&server).await;
    for (part, field) in [
        ("writes", "waiting"),
        ("jobs", "due"),
        ("jobs", "failing"),
        ("events", "waiting"),
        ("rollups", "pending_orders"),
        ("rollups", "dirty_buckets"),
        ("rollups", "unbuilt_tables"),
    ] {
        assert!(own[part][field].is_u64(), "{part}.{field}: {own}");
    }

    let page = viewer.page("/app/health").await;

    assert!(
        page.contains("Orders not yet in the rollups") && !page.contains("Check now"),
        "{page}"
    );
    for action in ["check", "back-up"] {
        let shown = viewer.submit("/app/health", &[("action", action)]).await;
        assert_eq!(shown.status, 403, "{action}");
        let analyst = Browser::of(&server, &Person::analyst()).await;
        assert_eq!(analyst.submit("/app/health", &[("action", action)]).await.status, 403);
    }
    let admin = Browser::of(&server, &Person::admin()).await;
    assert_eq!(admin.submit("/app/health", &[("action", "explode")]).await.status, 404);
}
