// SPDX-License-Identifier: Apache-2.0
/** What an instance remembers of the register about the map, in scripts. */
@NullMarked
package io.keyslot.client.partition.redis.register;

import org.jspecify.annotations.NullMarked;
