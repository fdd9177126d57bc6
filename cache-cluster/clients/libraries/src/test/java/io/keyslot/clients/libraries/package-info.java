// SPDX-License-Identifier: Apache-2.0
/** Libraries that use a JCache cache: Bucket4j, Camel, Resilience4j, Shiro. */
@NullMarked
package io.keyslot.clients.libraries;

import org.jspecify.annotations.NullMarked;
