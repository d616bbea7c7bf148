//! tmp
use loatune::{board::*, game::*, rules::*};
use std::time::Instant;
fn main() {
    let mut x: u64 = 88172645463325252;
    let t = Instant::now();
    let mut plies = 0;
    let n = 20000;
    let rules = Rules::default();
    let mut keys = Vec::new();
    for _ in 0..n {
        let mut board = Board::start();
        keys.clear();
        let mut since = 0;
        loop {
            if outcome_of(&board, &rules).is_some() {
                break;
            }
            let same = keys[since..].iter().filter(|&&k| k == board.key()).count();
            if same >= 2 || keys.len() >= 200 {
                break;
            }
            keys.push(board.key());
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let i = ((x >> 32) * board.mobility(board.turn()) as u64 >> 32) as u32;
            let Some(mv) = board.nth_move(i) else {
                panic!()
            };
            if mv.is_capture() {
                since = keys.len();
            }
            board.make(mv);
        }
        plies += keys.len();
    }
    let s = t.elapsed().as_secs_f64();
    println!(
        "{} plies/game {:.0} games/s {:.1} ns/ply",
        plies / n,
        n as f64 / s,
        s / plies as f64 * 1e9
    );
    let _ = Board::start();
}
