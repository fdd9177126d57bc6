// SPDX-License-Identifier: Apache-2.0
/** The demo, which replays a food chain's sales and stops one partition on the way. */
@NullMarked
package io.keyslot.cluster.demo;

import org.jspecify.annotations.NullMarked;
