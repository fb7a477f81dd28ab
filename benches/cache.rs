//! A formula of a hundred atoms, with and without a cache that contains them all.

use benches::Failure;
use benches::atoms::Shop;
use quotient::Inputs;
use quotient::cache::Cache;

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("cache");
    let shop = Shop::open()?;
    let cache = Cache::new(64 << 20);
    shop.check_at_once(&cache)?;
    group
        .bench_function("100 hits", |bencher| bencher.iter(|| shop.cached_answers(&cache).is_ok()));
    group.bench_function("no cache", |bencher| {
        bencher.iter(|| shop.answers(Inputs::data(&shop.data)).is_ok());
    });
    group.finish();
    criterion.final_summary();
    Ok(())
}
