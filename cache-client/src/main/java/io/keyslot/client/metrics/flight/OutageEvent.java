// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A partition was away: from the moment it was missing until it was healthy again. */
@Name("keyslot.PartitionOutage")
@Label("Partition Outage")
@Description("A partition was not asked, from the moment it was missing until it was healthy again")
@Category("Keyslot")
@StackTrace(false)
final class OutageEvent extends Event {
    @Label("Manager")
    @Nullable
    String manager;

    @Label("Partition")
    @Nullable
    String partition;

    @Label("Cause")
    @Description("Why it was missing: a cause of keyslot.partition.transitions")
    @Nullable
    String cause;
}
