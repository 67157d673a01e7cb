//! Sorting numbers by their upper halves.

/// Bits of a digit: its counters fit into the first cache.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;

/// Sorts by bits 32 to 63, stable, in time that grows with the count alone. `scratch` is room to work in.
///
/// Source: radix sort from the least digit (Knuth, "The Art of Computer Programming", volume 3, 5.2.5).
pub(crate) fn sort_by_upper_half(numbers: &mut Vec<u64>, scratch: &mut Vec<u64>) {
    if numbers.len() < BUCKETS {
        numbers.sort_by_key(|number| number >> 32);
        return;
    }
    let mut counts = [[0_u32; BUCKETS]; 3];
    let digit = |number: u64, pass: usize| (number >> (32 + DIGIT as usize * pass)) as usize & (BUCKETS - 1);
    for &number in &*numbers {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(number, pass)] += 1;
        }
    }
    scratch.clear();
    scratch.resize(numbers.len(), 0);
    for (pass, counts) in counts.iter_mut().enumerate() {
        // A digit that all share moves nothing.
        if counts.iter().any(|&count| count as usize == numbers.len()) {
            continue;
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for &number in &*numbers {
            let place = &mut counts[digit(number, pass)];
            scratch[*place as usize] = number;
            *place += 1;
        }
        std::mem::swap(numbers, scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_like_the_standard_library() {
        let mut state = 1_u64;
        for (count, mask) in
            [(10, u64::MAX), (5000, u64::MAX), (50_000, 0x0000_ffff_ffff_ffff), (50_000, 0xff00_0000_ffff_ffff)]
        {
            let mut numbers: Vec<u64> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state ^ state >> 29) & mask
                })
                .collect();
            let mut expected = numbers.clone();
            expected.sort_by_key(|number| number >> 32);
            sort_by_upper_half(&mut numbers, &mut Vec::new());
            assert_eq!(numbers, expected);
        }
    }
}
