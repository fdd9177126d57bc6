// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class NearExplaining {
    private NearExplaining() {}

    static NearState state(@Nullable NearEntry copy, boolean isServed, NearEnds.@Nullable Note end, long now) {
        return new NearState(
                isServed,
                copy == null ? null : Duration.ofNanos(now - copy.readAt()),
                copy == null ? null : Duration.ofNanos(now - copy.link().heard()),
                end == null ? null : end.end(),
                end == null ? null : Duration.ofNanos(now - end.nanos()));
    }
}
