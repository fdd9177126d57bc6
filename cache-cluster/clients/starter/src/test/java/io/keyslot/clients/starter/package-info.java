// SPDX-License-Identifier: Apache-2.0
/** An application of Spring Boot with the starter. Compiled and run with each supported version. */
@NullMarked
package io.keyslot.clients.starter;

import org.jspecify.annotations.NullMarked;
