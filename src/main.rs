use loatune::{board::*, perft::*, rules::*};
use std::time::Instant;
fn main() {
    let d: u32 = std::env::args().nth(1).map_or(5, |s| s.parse().unwrap());
    for (l, dd) in [(Leaves::Full, d)] {
        let t = Instant::now();
        let c = perft(&Board::start(), dd, l, &Rules::default());
        let s = t.elapsed().as_secs_f64();
        println!("{:.1}", c.nodes as f64 / s / 1e6);
    }
}
