//! How much memory queries may take where nobody says.

use std::fs;

/// Where Linux says how much a control group may take: of the second version, and of the first.
const OF_GROUP: [&str; 2] =
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// Bytes: three quarters of the memory of this machine, or of what this program's control group may take. `None` where the system
/// does not say so as Linux does.
pub fn usual() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let groups = OF_GROUP.map(|path| fs::read_to_string(path).unwrap_or_default());
    of(&machine, &groups)
}

fn of(machine: &str, groups: &[String]) -> Option<usize> {
    let line = machine.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    // A group without a limit says `max`, or more than there is.
    let limits = groups.iter().filter_map(|limit| limit.trim().parse().ok());
    let most = limits.chain([total.checked_mul(1024)?]).min()?;
    Some(most / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn three_quarters_of_the_machine_or_of_its_group() {
        let machine = "MemTotal:       4000 kB\nMemFree:         100 kB\n";
        let unlimited = ["max\n".to_owned(), "9223372036854771712\n".to_owned()];
        assert_eq!(of(machine, &unlimited), Some(3_072_000));
        assert_eq!(of(machine, &["1000000\n".to_owned(), String::new()]), Some(750_000));
        assert_eq!(of("", &[]), None);
    }
}
