// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A call of a cache took longer than the threshold. */
@Name("keyslot.SlowCall")
@Label("Slow Call")
@Description("A call of a cache that took longer than the threshold, loaders, writers and processors included")
@Category("Keyslot")
@Threshold("20 ms")
final class SlowCallEvent extends Event {
    @Label("Manager")
    @Nullable
    String manager;

    @Label("Cache")
    @Nullable
    String cache;

    @Label("Operation")
    @Nullable
    String operation;
}
