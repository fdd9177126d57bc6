// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.ConnectFailure;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What went wrong with a connect, whatever way it came. */
final class ConnectFailures {
    private ConnectFailures() {}

    /** Returns the failure itself; anything else than a {@link ConnectFailure} breaks the connector's contract. */
    static ConnectFailure of(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        String kind = cause == null ? "no connection" : cause.getClass().getSimpleName();
        return cause instanceof ConnectFailure failure
                ? failure
                : new ConnectFailure(
                        ConnectFailure.Kind.UNREACHABLE, "unexpected outcome of a connect: " + kind, cause);
    }
}
