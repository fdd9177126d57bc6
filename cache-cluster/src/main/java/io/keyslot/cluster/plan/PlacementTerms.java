// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.RangeType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is set of an entry of a placement. Null leaves it as it is. */
public record PlacementTerms(
        @Nullable RangeType rangeType,
        @Nullable Integer width,
        @Nullable Map<String, String> labels,
        @Nullable Boolean isPinned) {}
