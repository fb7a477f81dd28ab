//! Selects the banners that a shopper is shown.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::banner::{Audience, Banner};
use super::queries;
use crate::auth::Shop;
use crate::clock::Timestamp;
use crate::customers;
use crate::database::Tx;
use crate::error::ContentError;
use crate::http::{IntoParams, ToSchema};
use crate::ids::{BannerId, ById, CampaignId, CustomerGroupId};
use crate::locale::{Locale, preferences};
use crate::metadata::Metadata;
use crate::schedule::Window;
use crate::sites;
use crate::slug::Slug;

/// The query of banners.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BannersQuery {
    /// The handle of a site; without it, banners that belong to no site.
    #[param(inline, example = "main")]
    store_handle: Option<Slug>,
    /// The placement in the storefront.
    #[param(inline, example = "home-top")]
    placement: Option<Slug>,
    /// The shopper's language. Shows the banners in this language, with or without its region, in the site's language, and
    /// without a language.
    #[param(inline, example = "de-AT")]
    locale: Option<Locale>,
    /// Defaults to 20.
    #[param(minimum = 1, maximum = 200)]
    pub(super) limit: Option<u32>,
}

/// Which window applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum WindowSource {
    Own,
    Campaign,
}

/// A banner as a storefront shows it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LiveBanner {
    id: BannerId,
    placement: String,
    title: String,
    body: Option<String>,
    image_url: Option<String>,
    mobile_image_url: Option<String>,
    image_alt: Option<String>,
    link_url: Option<String>,
    link_label: Option<String>,
    priority: i64,
    /// The start of the window that applies; null for none.
    starts_at: Option<Timestamp>,
    /// The end of the window that applies, from which it is no longer shown; null for none.
    ends_at: Option<Timestamp>,
    window: WindowSource,
    campaign_id: Option<CampaignId>,
    is_dismissible: bool,
    metadata: Metadata,
}

#[derive(Debug, Default)]
pub(super) struct Live {
    pub(super) banners: Vec<LiveBanner>,
    /// When one of them next appears or disappears.
    pub(super) changes_at: Option<Timestamp>,
    /// Whether other shoppers may see different banners.
    pub(super) is_personal: bool,
}

/// Returns the banners that a shopper is shown at present, highest priority first.
pub(super) fn find(
    tx: &Tx<'_>,
    shop: &Shop,
    query: &BannersQuery,
    limit: usize,
) -> Result<Live, ContentError> {
    let now = tx.now();
    let handle = query.store_handle.as_ref();
    let site = sites::with_handle(tx, handle, &shop.sales_channel_ids)?;
    if handle.is_some() && site.is_none() {
        return Ok(Live::default());
    }
    let locale_of_site = site.as_ref().and_then(|site| site.locale.as_deref());
    let locales = preferences(query.locale.as_ref(), locale_of_site);
    let site_id = site.as_ref().map(|site| &site.id);
    let placement = query.placement.as_ref().map(Slug::as_str);
    let mut banners = queries::candidates(tx, site_id, placement, now)?;
    banners.retain(|banner| locales.contains(&banner.locale.as_deref()));
    let is_personal = banners.iter().any(|banner| banner.audience != Audience::Everyone);
    let groups = match &shop.customer_id {
        Some(customer) if is_personal => customers::group_ids(tx, customer)?,
        _ => Vec::new(),
    };
    banners.retain(|banner| is_for(banner, shop, &groups));
    let campaigns = banners.iter().filter_map(|banner| banner.campaign_id.as_ref());
    let campaigns = queries::campaign_windows(tx, campaigns)?;
    Ok(Live { is_personal, ..live(banners, &campaigns, now, limit) })
}

fn is_for(banner: &Banner, shop: &Shop, groups: &[CustomerGroupId]) -> bool {
    match banner.audience {
        Audience::Everyone => true,
        Audience::Guests => shop.customer_id.is_none(),
        Audience::Customers => {
            let group_ids = &banner.customer_group_ids;
            let is_in_group =
                group_ids.is_empty() || groups.iter().any(|id| group_ids.contains(id));
            shop.customer_id.is_some() && is_in_group
        }
    }
}

/// Returns which window applies: its own, else the campaign's; none if there is neither.
fn effective(banner: &Banner, campaigns: &ById<Window>) -> Option<(WindowSource, Window)> {
    let own = banner.window().of_some_end().map(|window| (WindowSource::Own, window));
    own.or_else(|| {
        let window = campaigns.get(banner.campaign_id.as_ref()?)?;
        Some((WindowSource::Campaign, window.of_some_end()?))
    })
}

fn live(banners: Vec<Banner>, campaigns: &ById<Window>, now: Timestamp, limit: usize) -> Live {
    let timed =
        banners.into_iter().filter_map(|banner| Some((effective(&banner, campaigns)?, banner)));
    let timed: Vec<_> = timed.collect();
    let changes_at = timed.iter().filter_map(|((_, window), _)| window.next_change(now)).min();
    let mut open: Vec<_> =
        timed.into_iter().filter(|((_, window), _)| window.is_open(now)).collect();
    open.sort_by(|((_, left), a), ((_, right), b)| {
        let rank = |window: &Window, banner: &Banner| {
            (Reverse(banner.priority), Reverse(window.starts_at))
        };
        rank(left, a).cmp(&rank(right, b)).then_with(|| a.id.cmp(&b.id))
    });
    let banners = open
        .into_iter()
        .take(limit)
        .map(|((source, window), banner)| live_banner(banner, source, window));
    Live { banners: banners.collect(), changes_at, is_personal: false }
}

fn live_banner(banner: Banner, source: WindowSource, window: Window) -> LiveBanner {
    LiveBanner {
        id: banner.id,
        placement: banner.placement,
        title: banner.title,
        body: banner.body,
        image_url: banner.image_url,
        mobile_image_url: banner.mobile_image_url,
        image_alt: banner.image_alt,
        link_url: banner.link_url,
        link_label: banner.link_label,
        priority: banner.priority,
        starts_at: window.starts_at,
        ends_at: window.ends_at,
        window: source,
        campaign_id: banner.campaign_id,
        is_dismissible: banner.is_dismissible,
        metadata: banner.metadata,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    fn banner(seed: u128, own: Window, campaign: Option<&CampaignId>) -> Banner {
        let banner = Banner::new(format!("banner {seed}"), at(0));
        let id = BannerId::seeded(0, seed);
        let Window { starts_at, ends_at } = own;
        Banner { id, starts_at, ends_at, campaign_id: campaign.cloned(), ..banner }
    }

    /// Returns the numbers of the banners that are shown at an instant.
    fn titles(banners: &[Banner], campaigns: &ById<Window>, now: i64) -> Vec<String> {
        let live = live(banners.to_vec(), campaigns, at(now), 20);
        live.banners.into_iter().map(|banner| banner.title).collect()
    }

    #[test]
    fn an_own_window_decides_alone_and_no_window_shows_nothing() {
        let (running, endless) = (CampaignId::seeded(0, 1), CampaignId::seeded(0, 2));
        let campaigns =
            [(&running, Window::new(Some(at(0)), Some(at(100)))), (&endless, Window::default())];
        let campaigns = campaigns.into_iter().collect();
        let banners = [
            banner(1, Window::new(Some(at(10)), Some(at(20))), Some(&running)),
            banner(2, Window::default(), Some(&running)),
            banner(3, Window::default(), None),
            banner(4, Window::default(), Some(&endless)),
            banner(5, Window::default(), Some(&CampaignId::seeded(0, 3))),
        ];

        assert_eq!(titles(&banners, &campaigns, 9), ["banner 2"]);
        assert_eq!(titles(&banners, &campaigns, 10), ["banner 1", "banner 2"]);
        assert_eq!(titles(&banners, &campaigns, 20), ["banner 2"]);
        assert_eq!(titles(&banners, &campaigns, 100), Vec::<String>::new());
        assert_eq!(live(banners.to_vec(), &campaigns, at(12), 20).changes_at, Some(at(20)));
    }

    #[test]
    fn a_banner_is_shown_by_its_deciding_window_until_the_next_change() {
        let campaign = CampaignId::seeded(0, 1);
        let ends = [None, Some(0), Some(1), Some(2)];
        let with_start = |start: Option<i64>| {
            ends.map(|end: Option<i64>| Window::new(start.map(at), end.map(at)))
        };
        let windows: Vec<Window> = ends.into_iter().flat_map(with_start).collect();
        for (own, other) in
            windows.iter().flat_map(|own| windows.iter().map(move |other| (own, other)))
        {
            let banners = [banner(1, *own, Some(&campaign))];
            let campaigns = [(&campaign, *other)].into_iter().collect();
            let is_shown = |now| !titles(&banners, &campaigns, now).is_empty();
            let decides = if *own == Window::default() { other } else { own };
            for now in -1..=3 {
                let expected = *decides != Window::default()
                    && decides.starts_at.is_none_or(|start| start.as_millis() <= now)
                    && decides.ends_at.is_none_or(|end| now < end.as_millis());
                assert_eq!(is_shown(now), expected, "{own:?} {other:?} at {now}");
                let changes_at = live(banners.to_vec(), &campaigns, at(now), 20).changes_at;
                let until = changes_at.map_or(4, Timestamp::as_millis);
                assert!(
                    (now..until).all(|later| is_shown(later) == expected),
                    "{own:?} {other:?} at {now}"
                );
            }
        }
    }

    #[test]
    fn higher_priorities_and_later_starts_come_first() {
        let open = |start| Window::new(Some(at(start)), None);
        let mut urgent = banner(3, open(0), None);
        urgent.priority = 1;
        let banners =
            [banner(2, open(5), None), banner(1, open(5), None), banner(4, open(7), None), urgent];

        let order = titles(&banners, &ById::default(), 9);
        assert_eq!(order, ["banner 3", "banner 4", "banner 1", "banner 2"]);
        assert_eq!(live(banners.to_vec(), &ById::default(), at(9), 2).banners.len(), 2);
    }
}
