// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.time.Duration;

/**
 * A replay with reads and writes.
 *
 * @param sales how many sales it had
 * @param time how long it took
 * @param measurements its calls
 */
record ReplayReport(long sales, Duration time, Measurements measurements) {}
