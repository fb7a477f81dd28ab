//! The files that browsers load: the libraries, the styles and the scripts, under names with a hash of their content.

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use quotient_foundation::digest::sha256_hex;

use crate::http::{HttpError, Path};

#[derive(Debug)]
struct Asset {
    name: &'static str,
    content_type: &'static str,
    content: &'static [u8],
    /// The URL, which contains a hash of the content.
    address: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let script = "text/javascript; charset=utf-8";
    let style = "text/css; charset=utf-8";
    vec![
        asset("app.css", style, include_bytes!("assets/app.css")),
        asset("app.js", script, include_bytes!("assets/app.js")),
        asset("icon.svg", "image/svg+xml", include_bytes!("assets/icon.svg")),
        asset("htmx.js", script, include_bytes!("assets/vendor/htmx-2.0.11.min.js")),
        asset("uplot.js", script, include_bytes!("assets/vendor/uplot-1.6.32.min.js")),
        asset("uplot.css", style, include_bytes!("assets/vendor/uplot-1.6.32.min.css")),
    ]
});

fn asset(name: &'static str, content_type: &'static str, content: &'static [u8]) -> Asset {
    let hash = sha256_hex(content);
    let hash = hash.get(..16).unwrap_or(&hash);
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let address = format!("/app/assets/{stem}-{hash}.{extension}");
    Asset { name, content_type, content, address }
}

pub(super) fn address(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| asset.address.as_str())
}

/// Sends a file, which may be cached for ever: changed content has another URL.
pub(super) async fn show_asset(
    Path(name): Path<String>,
) -> Result<([(HeaderName, HeaderValue); 2], &'static [u8]), HttpError> {
    let mut assets = ASSETS.iter();
    let asset = assets.find(|asset| asset.address.strip_prefix("/app/assets/") == Some(&*name));
    let asset = asset.ok_or_else(|| HttpError::not_found("Not found"))?;
    let lasting = HeaderValue::from_static("public, max-age=31536000, immutable");
    let content_type = HeaderValue::from_static(asset.content_type);
    Ok(([(CACHE_CONTROL, lasting), (CONTENT_TYPE, content_type)], asset.content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_an_address_of_its_own_content() {
        for asset in ASSETS.iter() {
            assert!(!asset.content.is_empty(), "{}", asset.name);
            assert_eq!(address(asset.name), asset.address);
        }
        assert_ne!(address("app.js"), address("app.css"));
        assert_eq!(address("none.js"), "");
    }
}
