// SPDX-License-Identifier: Apache-2.0
/** Values in parts: no command and no answer carries more than one part. */
@NullMarked
package io.keyslot.client.partition.redis.large;

import org.jspecify.annotations.NullMarked;
