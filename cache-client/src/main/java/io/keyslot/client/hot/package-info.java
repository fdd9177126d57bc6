// SPDX-License-Identifier: Apache-2.0
/**
 * Which keys of a cache this process reads most. {@link io.keyslot.client.hot.SpaceSaving} is the sketch, {@code
 * docs/decisions/0037-load-is-sampled-by-clients.md} has the reasons.
 */
@NullMarked
package io.keyslot.client.hot;

import org.jspecify.annotations.NullMarked;
