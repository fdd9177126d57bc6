// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The application's loader was called. */
@Name("keyslot.Load")
@Label("Load")
@Description("A call of the application's cache loader, as its caller waited")
@Category("Keyslot")
@StackTrace(false)
final class LoadEvent extends Event {
    @Label("Manager")
    @Nullable
    String manager;

    @Label("Cache")
    @Nullable
    String cache;

    @Label("Cause")
    @Description("Why it was called: a cause of keyslot.loads")
    @Nullable
    String cause;

    @Label("Outcome")
    @Description("loaded or failed")
    @Nullable
    String outcome;
}
